// SPDX-License-Identifier: Apache-2.0

/// One column of a report, with its definition as the database comments it.
package struct ReportColumn: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case text, date, instant, count
        /// An amount in currency units, a share or a rate.
        case decimal
    }

    package let name: String
    package let kind: Kind
    package let definition: String

    package init(name: String, kind: Kind, definition: String) {
        (self.name, self.kind, self.definition) = (name, kind, definition)
    }

    /// Text may start with a character that spreadsheets take for a formula; numbers and dates may not be touched.
    package var isText: Bool { kind == .text }
}
