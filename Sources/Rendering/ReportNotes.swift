// SPDX-License-Identifier: Apache-2.0

import Foundations
package import Model
import Signing

/// What the owner remarks on days, from the file that `reports.notes` names: the one object that page, workbook and `report.json`
/// show.
///
/// It is no part of the ledger and no seal knows it. So its file's checksum is part of the report's stamp: the same stamp gives
/// the same bytes.
package struct ReportNotes: Sendable, Hashable {
    package struct Note: Sendable, Hashable {
        let date: BusinessDate
        /// Nil: all of them.
        let app: AppID?
        let text: String

        package init(date: BusinessDate, app: AppID?, text: String) {
            self.date = date
            self.app = app
            self.text = text
        }
    }

    /// Of the file, in hex.
    let sha256: String
    /// By day, those of one day as the file has them.
    ///
    /// A note's number is its place here, from 1.
    let all: [Note]

    /// `file`: its bytes, as they were read.
    package init(_ notes: [Note], of file: [UInt8]) {
        sha256 = Hex.encode(SHA256.digest(file))
        all = notes.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }.map(\.element)
    }

    var numbered: [(number: Int, note: Note)] { zip(1..., all).map { ($0, $1) } }
}
