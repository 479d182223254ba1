// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The golden cases, drawn from other people's bugs: each has a test by its name.
@Suite struct GoldenCasesTests {
    /// How the name of each case's test begins, in the order of the list of cases.
    private static let cases = [
        "churn is booked on the day after the last active day", "a fall to zero is churn and no contraction",
        "a day with only starts or only ends has its row", "events without an active row",
        "the net amount is summed once per order", "Google's end before its start",
        "an upgrade's partial refund has no date", "a restored old purchase after a price change",
        "sandbox rows inside an imported history", "grace is not retained until it is paid",
        "retention divides by all who came, and a cancelled trial is no churn",
        "MRR falls once when a customer cancels and leaves", "trials are never in MRR", "an FX feed off by 10x",
        "December 2022 is the month of the calendar", "23:59:59 in one zone is the next day in another",
        "a renewal due on 29 November and paid on 4 December in grace", "ids of 16 digits retain every digit",
        "an event that Apple renamed overnight",
    ]

    @Test(arguments: cases)
    func `every case has a test`(_ name: String) throws {
        let files = try Repository.files(below: "Tests", ending: "Tests.swift")
        #expect(files.contains { $0.text.contains("`Golden: \(name)") }, "no test is called: Golden: \(name)…")
    }

    @Test func `there are no more than these, and none is forgotten`() throws {
        let text = try Repository.files(below: "Tests", ending: "Tests.swift").map(\.text).joined()
        let unlisted = text.matches(of: /func\s`Golden: ([^`]+)`/).map { String($0.1) }
            .filter { title in !Self.cases.contains { title.hasPrefix($0) } }
        #expect(unlisted.isEmpty)
        #expect(Self.cases.count == 19)
    }
}
