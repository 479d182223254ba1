// SPDX-License-Identifier: Apache-2.0

import Foundations
import Testing

@testable import Issues

/// What goes, by values alone: `{daily: 90d, monthly: 10y}` and what stays whatever it says.
@Suite struct IssueRetentionTests {
    private static let usual = IssueRetention(daily: .days(90), monthly: .years(10))

    /// Issues of these days, sealed in their order from 1.
    private static func issues(_ days: String...) throws -> [IssueRetention.Item] {
        try days.enumerated().map { place, day in
            IssueRetention.Item(seal: Int64(place + 1), businessDate: try #require(CivilDate(iso: day)))
        }
    }

    private static func gone(
        _ issues: [IssueRetention.Item], on today: String, _ retention: IssueRetention = usual
    ) throws -> [Int64] { retention.outlived(issues, on: try #require(CivilDate(iso: today))).sorted() }

    /// 90 days before 1 June 2026 are 3 March.
    @Test func `an issue stays for ninety days, and each month's last for ten years`() throws {
        let issues = try Self.issues("2026-02-27", "2026-02-28", "2026-03-02", "2026-03-03", "2026-05-30", "2026-05-31")
        #expect(try Self.gone(issues, on: "2026-06-01") == [1, 3])
        #expect(try Self.gone(issues, on: "2036-02-28") == [1, 3, 5])
        #expect(try Self.gone(issues, on: "2036-02-29") == [1, 3, 5])
        #expect(try Self.gone(issues, on: "2036-03-01") == [1, 2, 3, 5])
        #expect(try Self.gone(issues, on: "2036-03-04") == [1, 2, 3, 4, 5])
    }

    @Test func `the newest issue stays, however old it is`() throws {
        let issues = try Self.issues("2010-01-30", "2010-01-31")
        #expect(try Self.gone(issues, on: "2026-06-01") == [1])
    }

    /// The second issue of a date is its last, also where an earlier date was issued after it.
    @Test func `a month's last issue is that of its last day, and of that the last`() throws {
        let issues = try Self.issues("2026-01-31", "2026-01-31", "2026-01-30", "2026-05-31")
        #expect(try Self.gone(issues, on: "2026-06-01") == [1, 3])
    }

    @Test func `without monthly each month's last stays for ever`() throws {
        let issues = try Self.issues("1990-01-30", "1990-01-31", "2026-05-31")
        #expect(try Self.gone(issues, on: "2026-06-01", IssueRetention(daily: .days(1), monthly: nil)) == [1])
    }

    @Test func `an export goes by the day it is of, or was written on where that is later`() throws {
        let today = try #require(CivilDate(iso: "2026-06-01"))
        for (date, written, isGone) in [
            ("2026-03-02", "2026-03-02", true), ("2025-01-01", "2026-05-31", false),
            ("2026-05-31", "2026-01-01", false),
        ] {
            let (date, day) = (try #require(CivilDate(iso: date)), try #require(CivilDate(iso: written)))
            #expect(Self.usual.hasOutlivedExport(of: date, writtenOn: day, on: today) == isGone)
        }
    }

    @Test(arguments: [
        ("90d", IssueRetention.Age.days(90)), ("10y", .years(10)), ("0d", nil), ("+1d", nil), ("1m", nil),
        ("101y", nil),
        ("d", nil), ("", nil), ("1.5y", nil),
    ])
    func `ages are days or years`(text: String, age: IssueRetention.Age?) {
        #expect(IssueRetention.Age(text) == age)
    }

    @Test(arguments: [
        ("0640", 0o640, 0o750), ("640", 0o640, 0o750), ("0600", 0o600, 0o700), ("0644", 0o644, 0o755),
        ("0664", 0o664, 0o775),
    ])
    func `a folder may be entered by whoever may read its files`(text: String, file: Int, folder: Int) throws {
        let mode = try #require(FileMode(text))
        #expect(mode.file == file && mode.folder == folder)
    }

    @Test(arguments: ["0440", "0666", "0777", "1640", "64", "rw", "-640", "0o640"])
    func `a mode that its owner could not write with, or others could, is none`(text: String) {
        #expect(FileMode(text) == nil)
    }
}
