// SPDX-License-Identifier: Apache-2.0

import Model

extension ReportIdentity {
    /// The first of the last thirteen months: the month of the last day and the twelve before it.
    var firstDayOfLastMonths: String {
        let parts = lastDate.description.split(separator: "-")
        let year = parts.first.flatMap { Int($0) } ?? 1
        return "\(String(String(10_000 + year - 1).dropFirst()))-\(parts.dropFirst().first ?? "01")-01"
    }
}
