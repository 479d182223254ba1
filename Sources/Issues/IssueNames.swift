// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The names of the issues of one business date: `2026-03-01`, then `2026-03-01.2`, `2026-03-01.3` and so on.
struct IssueNames {
    /// The link to the newest.
    static let latest = "latest"

    private let date: String
    /// The highest number of one that the database may know; 0 if there is none.
    private let newestNumber: Int
    private var nextNumber: Int

    /// `unknown`: issues of which the database has no record: none takes their names, and none is one of them again.
    init(in directory: String, of date: String, besides unknown: Set<String> = []) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        func highest(_ names: [String]) -> Int {
            names.compactMap { Self.parse($0) }.filter { $0.date == date }.map(\.number).max() ?? 0
        }
        self.date = date
        newestNumber = highest(names.filter { !unknown.contains($0) })
        nextNumber = highest(names) + 1
    }

    /// The one issued last; nil if there is none.
    var newest: String? { newestNumber == 0 ? nil : name(newestNumber) }
    /// The name for another one.
    var next: String { name(nextNumber) }

    /// Another process took that name.
    mutating func skip() { nextNumber += 1 }

    /// True if the left name is of a later date, or a later issue of the same date.
    static func isNewer(_ left: String, than right: String) -> Bool {
        guard let left = parse(left), let right = parse(right) else { return false }
        return (left.date, left.number) > (right.date, right.number)
    }

    private func name(_ number: Int) -> String { number == 1 ? date : "\(date).\(number)" }

    /// True for a name that an issue may bear.
    static func isOfIssue(_ name: String) -> Bool { parse(name) != nil }

    /// The same, and the one that points at an issue.
    static func isReserved(_ name: String) -> Bool { name == latest || isOfIssue(name) }

    private static func parse(_ name: String) -> (date: String, number: Int)? {
        guard let match = name.wholeMatch(of: /(\d{4}-\d{2}-\d{2})(?:\.([1-9]\d{0,8}))?/) else { return nil }
        return (String(match.1), match.2.flatMap { Int($0) } ?? 1)
    }
}
