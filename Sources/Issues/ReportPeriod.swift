// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Model
import Rendering

/// The days a report's CSV files cover: `2026-03`, `2026-03-01..2026-04-01` (without its last day), or `30d`.
package enum ReportPeriod: Hashable, Sendable {
    /// Both included.
    case days(first: BusinessDate, last: BusinessDate)
    /// That many days up to the business date.
    case lastDays(Int)

    /// Nil for any other text.
    package init?(argument: String) {
        if argument.hasSuffix("d"), let count = Int(argument.dropLast()), (1...36_525).contains(count) {
            self = .lastDays(count)
            return
        }
        let ends = argument.components(separatedBy: "..")
        let bounds = ends.count == 2 ? (ends[0], ends[1]) : Self.month(argument)
        guard let (first, end) = bounds, let first = BusinessDate(first), let end = BusinessDate(end), first < end,
            let last = end.adding(days: -1)
        else { return nil }
        self = .days(first: first, last: last)
    }

    /// First and last day, where the report is about that business date.
    package func bounds(businessDate: BusinessDate) -> (first: BusinessDate?, last: BusinessDate) {
        switch self {
        case .days(let first, let last): (first, last)
        case .lastDays(let count): (businessDate.adding(days: 1 - count), businessDate)
        }
    }

    /// The first days of that month and of the next.
    private static func month(_ text: String) -> (String, String)? {
        guard text.utf8.count == 7, let first = BusinessDate(text + "-01"), let next = first.adding(days: 31) else {
            return nil
        }
        return (first.description, next.description.prefix(7) + "-01")
    }
}
