// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations

/// `cards.json`: which columns of which report a headline figure adds up.
package struct PageCard: Decodable {
    package let id: String
    package let report: String
    /// Where the glossary says what it means: report and column.
    let definition: String
    /// Of the whole company's last whole month.
    package let figure: String?
    /// Figures of the whole company that are said beside it.
    let basis: [String]?
    /// The shares of it that those leave out.
    let missing: [String]?
    /// As the last day has them.
    package let last: [String]?
    /// Over thirty days.
    package let sum: [String]?
    /// Over thirty days: the sum of some ÷ the sum of others.
    package let ratio: [[String]]?
    /// So many days from the last one on, instead of thirty up to it.
    package let ahead: Int?
    /// Columns of the same rows that are said beside it.
    let detail: [String]?
    /// The column of those who are not decided yet: while there are any, it is compared with no earlier figure.
    let open: String?

    package static func all() throws -> [PageCard] {
        try JSONDecoder().decode([PageCard].self, from: Data(PageFiles.cards.text.utf8))
    }

    /// The days that it is about when it is of that day.
    func days(of day: Int, _ period: PagePeriod) -> ClosedRange<Int> {
        if let ahead { return day + 1...day + ahead }
        return last != nil || isOfWindows ? day...day : day - period.window(PagePeriod.cardDays) + 1...day
    }

    /// `churn_windows.sql` has looked at thirty days already, whatever days the report is about.
    var isOfWindows: Bool { report == "churn_windows" }
}
