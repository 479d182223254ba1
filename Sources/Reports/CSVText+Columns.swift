// SPDX-License-Identifier: Apache-2.0

import Foundations

/// Lines of a report's file: a header, then one line per row.
extension CSVText {
    static func append(header columns: [ReportColumn], as profile: CSVProfile = .standard, to line: inout [UInt8]) {
        append(columns.map { field($0.name, isText: true, as: profile) }, as: profile, to: &line)
    }

    /// `values` in the order of the columns; nil is NULL.
    static func append(
        _ values: [String?], columns: [ReportColumn], as profile: CSVProfile = .standard, to line: inout [UInt8]
    ) {
        let fields = zip(values, columns).map { value, column in
            field(column.kind == .decimal ? decimal(value, as: profile) : value, isText: column.isText, as: profile)
        }
        append(fields, as: profile, to: &line)
    }
}
