// SPDX-License-Identifier: Apache-2.0

import Issues

/// Reads `reports.mode` and `reports.keep`.
struct StorageReader {
    private static let kind = "a number of days or years such as 90d or 10y"

    /// `reports`.
    let section: Section

    func read() -> IssueStorage {
        let kind = "the mode of a file such as 0640: its owner reads and writes, others do not write, none executes"
        let mode = section.text("mode", being: kind) { FileMode($0) != nil }
        return IssueStorage(mode: mode.flatMap { FileMode($0) } ?? .usual, retention: retention())
    }

    /// Nil: nothing is taken away.
    private func retention() -> IssueRetention? {
        guard section.has("keep"), let ages = section.section("keep", keys: ["daily", "monthly"]) else { return nil }
        guard ages.has("daily") else {
            ages.find("daily", "is missing: how long issues stay, such as 90d; without keep all of them do")
            return nil
        }
        let (daily, monthly) = (age("daily", in: ages), age("monthly", in: ages))
        guard let daily else { return nil }
        let retention = IssueRetention(daily: daily, monthly: monthly)
        if retention.isMonthlyShorter {
            ages.find("monthly", "must not be shorter than daily: each month's last issue is one of them")
        }
        return retention
    }

    private func age(_ key: String, in section: Section) -> IssueRetention.Age? {
        section.text(key, being: Self.kind) { IssueRetention.Age($0) != nil }.flatMap { IssueRetention.Age($0) }
    }
}
