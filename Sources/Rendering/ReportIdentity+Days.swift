// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Model

extension ReportIdentity {
    /// The days up to the last one, oldest first.
    func lastDays(_ count: Int) -> [BusinessDate] {
        (0..<count).reversed().compactMap { lastDate.adding(days: -$0) }
    }
}

extension BusinessDate {
    /// That many calendar days later; nil beyond the calendar.
    package func adding(days: Int) -> BusinessDate? {
        let style = Date.ISO8601FormatStyle().year().month().day()
        guard let midnight = try? style.parse(description) else { return nil }
        return BusinessDate(style.format(midnight.addingTimeInterval(Double(days) * 86_400)))
    }
}
