// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import ReportSupport

/// The questions of `docs/bi/questions`, asked of a history of five customers; the answers are reckoned by hand.
@Suite struct BIQuestionTests {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/bi")

    /// The four customers of the recipes, and a fifth one, in Germany, whose plan costs 12 instead of 10 from March on.
    static func write(_ world: ReportWorld) async throws {
        try await RecipeTests.write(world)
        try await world.charged(
            Sale(
                key: 5, id: "p1", product: "plus", from: "2026-02-01 12:00Z", to: "2026-03-01 12:00Z",
                price: 10_000_000, country: "DE"))
        try await world.charged(
            Sale(
                key: 5, id: "p2", product: "plus", kind: "renewal", from: "2026-03-01 12:00Z", to: "2026-04-01 12:00Z",
                price: 12_000_000, country: "DE"))
        try await world.became("active", key: 5, at: "2026-03-01 12:00Z", expires: "2026-04-01 12:00Z")
        try await MartTablesTests.refresh(world, seal: 1)
    }

    private struct Answer {
        /// Of the whole answer.
        let rows: Int
        /// All of them where they are as many, else some.
        let lines: [String]

        init(rows: Int? = nil, _ lines: [String]) {
            self.rows = rows ?? lines.count
            self.lines = lines
        }
    }

    private static let answers: [String: Answer] = [
        // 9.99 ÷ 0 has no rate; (9.99 + 9.99 + 10) ÷ 9.99 − 1; (20 + 12) ÷ 29.98 − 1.
        "01-mrr-by-month": Answer([
            "2025-10-01|9.990000||1|USD|0", "2025-11-01|0.000000|-1.0000|0|USD|0", "2026-01-01|9.990000||1|USD|0",
            "2026-02-01|29.980000|2.0010|3|USD|0", "2026-03-01|32.000000|0.0674|2|USD|0",
        ]),
        "02-mrr-movements-by-month": Answer([
            "2025-10-01|new|9.990000|USD", "2025-11-01|churn: voluntary|-9.990000|USD", "2026-01-01|new|9.990000|USD",
            "2026-02-01|new|19.990000|USD", "2026-03-01|churn: voluntary|-9.990000|USD",
            "2026-03-01|expansion|2.000000|USD", "2026-03-01|new|20.000000|USD",
            "2026-03-01|payment awaited|-9.990000|USD",
        ]),
        "03-revenue-by-product": Answer([
            "2025-10-01|acme-ios|monthly|auto_renewable||1|9.990000|0.000000|9.990000||USD|0",
            "2026-01-01|acme-ios|monthly|auto_renewable||1|9.990000|0.000000|9.990000||USD|0",
            "2026-02-01|acme-ios|monthly|auto_renewable||2|19.980000|0.000000|19.980000||USD|0",
            "2026-02-01|acme-ios|plus|auto_renewable||1|10.000000|0.000000|10.000000||USD|0",
            "2026-03-01|acme-ios|monthly|auto_renewable||1|20.000000|4.990000|15.010000||USD|0",
            "2026-03-01|acme-ios|plus|auto_renewable||1|12.000000|0.000000|12.000000||USD|0",
        ]),
        // 5 October to 4 November, and from 5 January on: 31 + 27 + 28 + 31 days.
        "04-subscribers-by-day": Answer(
            rows: 117,
            [
                "2025-10-05|1|0|0|0|0|0", "2026-01-05|0|1|0|0|0|0", "2026-01-12|1|0|0|0|0|0", "2026-02-28|3|0|0|0|0|0",
                "2026-03-12|3|0|0|0|0|0", "2026-03-31|2|0|0|0|1|0",
            ]),
        "05-churn-by-reason": Answer([
            "2025-11-01|acme-ios|monthly|voluntary|1", "2026-03-01|acme-ios|monthly|voluntary|1",
        ]),
        "06-trial-conversion": Answer(["2026-01-05|acme-ios|monthly|1|1|0|1.0000"]),
        "07-cohort-retention": Answer(
            rows: 12,
            [
                "2025-10-01|0|1|1|1.0000", "2025-10-01|5|1|0|0.0000", "2026-01-01|1|1|1|1.0000",
                "2026-01-01|2|1|0|0.0000", "2026-02-01|0|2|2|1.0000", "2026-02-01|1|2|1|0.5000",
                "2026-03-01|0|1|1|1.0000",
            ]),
        "08-renewals-ahead": Answer(
            rows: 30,
            ["2026-04-01|1|0|0|12.000000|USD|0", "2026-04-02|0|0|0|0|USD|0", "2026-04-05|1|0|0|20.000000|USD|0"]),
        "09-mrr-by-country": Answer([
            "US|United States|North America|1|20.000000|USD|0", "DE|Germany|Europe|1|12.000000|USD|0",
        ]),
        "10-price-changes": Answer(["2026-03-01|1|2.000000|0.000000|0.000000|USD"]),
    ]

    @Test func `every question has its answer`() async throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path + "/questions").sorted()
        #expect(files.map { $0.replacing(".sql", with: "") } == Self.answers.keys.sorted())
        try await ReportWorld.with { world in
            try await Self.write(world)
            for file in files {
                let answer = try #require(Self.answers[file.replacing(".sql", with: "")])
                let found = try await world.connection.lines(
                    try String(contentsOfFile: Self.folder.path + "/questions/" + file, encoding: .utf8))
                #expect(found.count == answer.rows, "\(file): \(found)")
                #expect(found.filter(answer.lines.contains) == answer.lines, "\(file): \(found)")
            }
        }
    }

    /// Tools put a statement into another one: it has no end of its own, and says what it answers.
    @Test func `every question is one statement with its question above`() throws {
        for file in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path + "/questions") {
            let text = try String(contentsOfFile: Self.folder.path + "/questions/" + file, encoding: .utf8)
            #expect(text.hasPrefix("-- ") && text.prefix { $0 != "\n" }.contains("?"), "\(file)")
            #expect(!text.split(separator: "\n").contains { !$0.hasPrefix("--") && $0.contains(";") }, "\(file)")
        }
    }
}
