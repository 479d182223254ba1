// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import TestSupport
import Testing

@testable import ReportSupport

/// The questions of docs/recipes.sql, asked of a history of four customers; the answers are reckoned by hand.
@Suite struct RecipeTests {
    /// Question and statement of each recipe.
    private static func recipes() throws -> [(question: String, sql: String)] {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("docs/recipes.sql"), encoding: .utf8)
        return text.components(separatedBy: "\n\n-- ").dropFirst().map { recipe in
            let (question, sql) = (recipe.prefix { $0 != "\n" }, recipe.drop { $0 != "\n" })
            return (String(question), sql.trimmingCharacters(in: CharacterSet(charactersIn: "; \n")))
        }
    }

    static func write(_ world: ReportWorld) async throws {
        try await world.night(1, for: "2026-03-31")
        // 1: a trial, two months, gone on 12 March, half of the last one refunded.
        try await world.sold(
            Sale(id: "t0", kind: "trial", from: "2026-01-05 12:00Z", to: "2026-01-12 12:00Z", price: 0, country: "JP"))
        try await world.charged(Sale(id: "t1", from: "2026-01-12 12:00Z", to: "2026-02-12 12:00Z", country: "JP"))
        var last = Sale(id: "t2", kind: "renewal", from: "2026-02-12 12:00Z", to: "2026-03-12 12:00Z", country: "JP")
        (last.refundedAt, last.refundKind, last.refund) = ("2026-03-20 12:00Z", "partial", 4_990_000)
        try await world.charged(last)
        try await world.booked("refund", -4_990_000, at: "2026-03-20 12:00Z", of: last)
        try await world.became("expired", at: "2026-03-12 12:00Z", reason: "voluntary", expires: "2026-03-12 12:00Z")
        // 2: new in March. 3: long gone. 4: its renewal fails since 28 March.
        try await world.charged(Sale(key: 2, from: "2026-03-05 12:00Z", to: "2026-04-05 12:00Z", price: 20_000_000))
        try await world.charged(Sale(key: 3, from: "2025-10-05 12:00Z", to: "2025-11-05 12:00Z"))
        try await world.became(
            "expired", key: 3, at: "2025-11-05 12:00Z", reason: "voluntary", expires: "2025-11-05 12:00Z")
        try await world.charged(Sale(key: 4, from: "2026-02-28 12:00Z", to: "2026-03-28 12:00Z"))
        try await world.became(
            "billing_retry", key: 4, at: "2026-03-28 12:00Z", recorded: "2026-03-29 02:00Z",
            expires: "2026-03-28 12:00Z")
    }

    private static let answers: [[String]] = [
        // 9.99 + 9.99, 20.00 came, 9.99 left, 9.99 is waited for.
        [
            "2026-03-01|2026-03-31|USD|19.980000|20.000000|0.000000|0.000000|0.000000|-9.990000|0.000000|0.000000|"
                + "-9.990000|0.000000|0.000000|20.000000|0"
        ],
        ["acme-ios|monthly|1|1|0|0|0|0|0"],
        ["2026-04-05|1|0|0|20.000000|USD|0"],
        ["JP|1|1|1.0000"],
        ["2026-03|2026-02|1|4.990000|USD"],
        // No tax rate is known, so the proceeds are unknown.
        [
            "2025-10|USD|9.990000||0.0000|0.0000|1.0000|0", "2026-01|USD|9.990000||0.0000|0.0000|1.0000|0",
            "2026-02|USD|19.980000||0.0000|0.0000|1.0000|0", "2026-03|USD|15.010000||0.0000|0.0000|1.0000|0",
        ],
        ["2025-10|1|9.990000|9.990000|USD"],
        ["billing_retry|0-7|1|0|9.990000|USD"],
        // First periods of 1, 3 and 4 ended, that of 1 alone renewed; its second did not.
        ["1|3|0.3333||", "2|1|0.0000||"],
    ]

    @Test func `every question of the recipes has its answer`() async throws {
        try await ReportWorld.with { world in
            try await Self.write(world)
            try await MartTablesTests.refresh(world, seal: 1)
            let recipes = try Self.recipes()
            #expect(recipes.count == Self.answers.count)
            for (recipe, answer) in zip(recipes, Self.answers) {
                let found = try await world.connection.lines(recipe.sql)
                #expect(found == answer, "\(recipe.question)")
            }
        }
    }
}
