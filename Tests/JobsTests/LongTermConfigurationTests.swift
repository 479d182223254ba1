// SPDX-License-Identifier: Apache-2.0

import Issues
import Model
import Operations
import Testing

@testable import subledger

/// What is configured of a batch that runs for years: how long reports stay, and which apps are over.
@Suite struct LongTermConfigurationTests {
    @Test func `how long reports stay and who may read them is read, and nothing goes where it is left out`()
        async throws
    {
        for (reports, storage) in [
            ("", IssueStorage()),
            (
                "reports: { mode: 0600, keep: { daily: 90d, monthly: 10y } }\n",
                IssueStorage(
                    mode: try #require(FileMode("0600")),
                    retention: IssueRetention(daily: .days(90), monthly: .years(10)))
            ),
            (
                "reports: { keep: { daily: 1y } }\n",
                IssueStorage(retention: IssueRetention(daily: .years(1), monthly: nil))
            ),
        ] {
            try await ConfigurationFolder.with(ConfigurationFolder.good + reports) { folder in
                let found = try folder.load().get().reports.storage
                #expect(found == storage)
            }
        }
        for (ages, problem) in [
            ("{ monthly: 1y }", "daily is missing: how long issues stay, such as 90d; without keep all of them do"),
            (
                "{ daily: 1y, monthly: 90d }",
                "monthly must not be shorter than daily: each month's last issue is one of them"
            ),
            ("{ daily: 3m }", "daily must be a number of days or years such as 90d or 10y, not `3m`"),
        ] {
            try await ConfigurationFolder.with(ConfigurationFolder.good + "reports: { keep: \(ages) }\n") { folder in
                _ = #expect(throws: UsageError("subledger.yaml:11: reports.keep.\(problem)")) {
                    try folder.load().get()
                }
            }
        }
    }

    @Test func `an app is retired from its day on, and has a name for people`() async throws {
        let lines = "clock: simulated\n"
        let retired = ConfigurationFolder.good.replacing(
            lines, with: "    retired: 2026-03-01\n    title: Acme, for phones\n" + lines)
        try await ConfigurationFolder.with(retired) { folder in
            let app = try #require(folder.load().get().apps.first)
            for (day, isRetired) in [("2026-02-28", false), ("2026-03-01", true), ("2026-03-02", true)] {
                let row = app.row(on: try #require(BusinessDate(day)))
                #expect(row.retiredOn?.description == (isRetired ? "2026-03-01" : nil))
                #expect(row.title == "Acme, for phones")
            }
        }
        try await ConfigurationFolder.with(retired.replacing("2026-03-01", with: "March")) { folder in
            let line = "subledger.yaml:10: apps[0].retired must be a day such as 2026-12-31, not `March`"
            _ = #expect(throws: UsageError(line)) { try folder.load().get() }
        }
    }
}
