// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// Figures of the built program's own issues, cited after more nights and after rates were imported.
@Suite(.hangLimit) struct CitedNightsTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"),
        .play(id: "acme-android", packageName: "com.acme.app", api: .v2, grant: .serviceAccount),
    ]

    /// What `cite --json` says.
    private struct Cited: Decodable {
        struct Value: Decodable {
            let value: String?
            let rows: Int
        }

        struct Movement: Decodable {
            let cause: String
            let amount: String
        }

        struct Ledger: Decodable {
            let sum: String?
        }

        let figure: String
        let issued: Value
        let today: Value
        let movements: [Movement]
        let ledger: Ledger?

        /// Issued and movements.
        var bridged: Decimal {
            movements.reduce(CitedNightsTests.decimal(issued.value)) { $0 + CitedNightsTests.decimal($1.amount) }
        }
    }

    private static func decimal(_ text: String?) -> Decimal { text.flatMap { Decimal(string: $0) } ?? 0 }

    /// The sum of a column of an issued file over the rows of a day.
    private static func sum(_ column: String, of file: String, on day: String, _ world: NightWorld, night: Int) throws
        -> Decimal
    {
        let path = "\(world.reports)/\(NightWorld.businessDate(of: night))/\(file).csv"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let place = try #require(lines.first?.firstIndex(of: column))
        return lines.filter { $0[0] == day }.reduce(0) { $0 + decimal($1[place]) }
    }

    private static func cite(_ world: NightWorld, _ figure: String, night: Int) async throws -> Cited {
        let run = try await world.subledger(
            "cite", figure, "--issue", NightWorld.businessDate(of: night), "--json", "--now",
            NightWorld.instant(of: 3).iso8601)
        try #require(run.exitCode == 0, "\(run.standardError)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Cited.self, from: Data(run.standardOutput.utf8))
    }

    @Test func `what the first night issued and what moved it since come to what the third night says`() async throws {
        try await NightWorld.with(
            seed: 43, customersPerApp: 60, apps: Self.apps, adapting: { $0.requestsPerSecond = 1_000 }
        ) { world in
            try await world.night(1)
            let rates = world.directory + "/rates.csv"
            try "date,currency,rate\n2020-01-01,EUR,0.5\n2020-01-01,JPY,0.25\n"
                .write(toFile: rates, atomically: true, encoding: .utf8)
            let imported = try await world.subledger(
                "import", "fx", rates, "--base", "USD", "--now", NightWorld.instant(of: 1).iso8601)
            try #require(imported.exitCode == 0, "\(imported.standardError)")
            for night in 2...3 { try await world.night(night) }
            try await Self.expectBridges(world)
            try await Self.expectRefusals(world)
        }
    }

    private static func expectBridges(_ world: NightWorld) async throws {
        let day = NightWorld.businessDate(of: 1)
        var moved: Set<String> = []
        for (figure, file, column) in [
            ("mrr", "mrr_bridge", "closing_reporting"),
            ("revenue[date=\(day)].net_reporting", "revenue", "net_reporting"),
            ("revenue[date=\(day)].charges", "revenue", "charges"), ("active", "subscribers", "active"),
            ("subscribers[date=\(day)].trial", "subscribers", "trial"),
        ] {
            let cited = try await cite(world, figure, night: 1)
            #expect(decimal(cited.issued.value) == (try sum(column, of: file, on: day, world, night: 1)), "\(figure)")
            #expect(decimal(cited.today.value) == (try sum(column, of: file, on: day, world, night: 3)), "\(figure)")
            #expect(cited.bridged == decimal(cited.today.value), "\(figure): \(cited)")
            moved.formUnion(cited.movements.map(\.cause))
        }
        #expect(moved.contains("rates") && !moved.contains("unknown") && !moved.contains("not_followed"), "\(moved)")
        // What the ledger's entries add up to, of one currency.
        let dollars = try await cite(world, "revenue[date=2020-01-01..\(day),currency=USD].net", night: 1)
        #expect(dollars.issued.rows > 10 && dollars.ledger?.sum == dollars.issued.value)
    }

    private static func expectRefusals(_ world: NightWorld) async throws {
        let day = NightWorld.businessDate(of: 1)
        let people = try await world.subledger(
            "cite", "mrr", "--issue", day, "--now", NightWorld.instant(of: 3).iso8601)
        #expect(people.exitCode == 0)
        for words in ["exchange rates imported since", "the largest: subledger explain ", "as it was issued, SHA-256"] {
            #expect(people.standardOutput.contains(words), "\(people.standardOutput)")
        }
        let wrong = try await world.subledger("cite", "mmr", "--now", NightWorld.instant(of: 3).iso8601)
        #expect(wrong.exitCode == 64 && wrong.standardError.contains("did you mean mrr?"), "\(wrong.standardError)")
        let file = "\(world.reports)/\(day)/mrr_bridge.csv"
        try (try String(contentsOfFile: file, encoding: .utf8) + "\n").write(
            toFile: file, atomically: true, encoding: .utf8)
        let changed = try await world.subledger(
            "cite", "mrr", "--issue", day, "--now", NightWorld.instant(of: 3).iso8601)
        #expect(changed.exitCode == 1 && changed.standardOutput == "")
        #expect(changed.standardError.contains("was changed since it was issued"), "\(changed.standardError)")
    }
}
