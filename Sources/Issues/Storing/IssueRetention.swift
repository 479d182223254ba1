// SPDX-License-Identifier: Apache-2.0

package import Foundations

/// How long issues stay on the disk: what goes is decided here, from values alone.
package struct IssueRetention: Hashable, Sendable {
    /// A length of days or of calendar years.
    package enum Age: Hashable, Sendable {
        case days(Int)
        case years(Int)

        /// `90d`, `10y`; nil for anything else, and for more than a hundred years.
        package init?(_ text: String) {
            guard let unit = text.last, let count = Int(text.dropLast()), count > 0, text.first != "+" else {
                return nil
            }
            switch unit {
            case "d" where count <= 36_525: self = .days(count)
            case "y" where count <= 100: self = .years(count)
            default: return nil
            }
        }

        /// The first day that is not older than that.
        package func start(before today: CivilDate) -> CivilDate {
            switch self {
            case .days(let count): CivilDate(daysSinceUnixEpoch: today.daysSinceUnixEpoch - count)
            // The 28th is in every February.
            case .years(let count):
                CivilDate(year: today.year - count, month: today.month, day: min(today.day, today.month == 2 ? 28 : 31))
            }
        }
    }

    /// An issue as far as its age goes.
    package struct Item: Hashable, Sendable {
        package let seal: Int64
        package let businessDate: CivilDate

        package init(seal: Int64, businessDate: CivilDate) {
            self.seal = seal
            self.businessDate = businessDate
        }

        fileprivate var month: Int { businessDate.year * 12 + businessDate.month }

        fileprivate func isNewer(than other: Item) -> Bool {
            (businessDate.daysSinceUnixEpoch, seal) > (other.businessDate.daysSinceUnixEpoch, other.seal)
        }
    }

    package let daily: Age
    /// Of each month's last issue; nil: for ever.
    package let monthly: Age?

    package init(daily: Age, monthly: Age?) {
        self.daily = daily
        self.monthly = monthly
    }

    /// Which no owner can mean.
    package var isMonthlyShorter: Bool {
        let day = CivilDate(year: 2_000, month: 12, day: 31)
        return monthly.map { daily.start(before: day) < $0.start(before: day) } ?? false
    }

    /// The seals of those that go, of all that were ever issued: the newest stays, and each month's last for as long as `monthly` says.
    package func outlived(_ issues: [Item], on today: CivilDate) -> Set<Int64> {
        let newer: (Item, Item) -> Item = { $0.isNewer(than: $1) ? $0 : $1 }
        let lastOfMonths = Dictionary(issues.map { ($0.month, $0) }, uniquingKeysWith: newer)
        let newest = lastOfMonths.values.max { $1.isNewer(than: $0) }
        let gone = issues.filter { issue in
            guard issue.seal != newest?.seal else { return false }
            guard lastOfMonths[issue.month]?.seal == issue.seal else {
                return hasOutlived(daily, of: issue.businessDate, on: today)
            }
            return monthly.map { hasOutlived($0, of: issue.businessDate, on: today) } ?? false
        }
        return Set(gone.map(\.seal))
    }

    /// Exports go with the daily ones: by the day they are of, or the day they were written where that is later.
    package func hasOutlivedExport(of businessDate: CivilDate, writtenOn day: CivilDate, on today: CivilDate) -> Bool {
        hasOutlived(daily, of: max(businessDate, day), on: today)
    }

    private func hasOutlived(_ age: Age, of day: CivilDate, on today: CivilDate) -> Bool {
        day < age.start(before: today)
    }
}
