// SPDX-License-Identifier: Apache-2.0

import Model

/// What a report is issued from, as its files say it; the same stamp gives the same tables and notes.
package struct ReportStamp: Codable, Sendable, Hashable {
    package let asOf: String
    package let businessDate: String
    package let definitionsVersion: Int
    package let firstDate: String?
    package let lastDate: String
    /// Of the file of the owner's notes, which no seal knows; nil without one.
    package let notesSHA256: String?
    package let runID: Int64
    package let seal: Int64
    package let timeZone: String

    private enum CodingKeys: String, CodingKey {
        case asOf = "as_of"
        case businessDate = "business_date"
        case definitionsVersion = "definitions_version"
        case firstDate = "first_date"
        case lastDate = "last_date"
        case notesSHA256 = "notes_sha256"
        case runID = "run_id"
        case seal
        case timeZone = "time_zone"
    }

    package init(_ report: ReportIdentity) {
        (asOf, businessDate) = (report.asOf.iso8601, report.businessDate.description)
        definitionsVersion = ReportIdentity.definitionsVersion
        (firstDate, lastDate) = (report.firstDate?.description, report.lastDate.description)
        notesSHA256 = report.notes?.sha256
        (runID, seal, timeZone) = (report.runID, report.seal, report.timeZone)
    }
}
