// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The built program's imports of dated facts: what it says, and how it ends.
@Suite struct ReferenceImportProgramTests {
    private typealias Case = (arguments: [String], header: String, good: String, bad: String, complaint: String)

    private static let cases: [Case] = [
        (
            ["products"], "app_id,product_id,period", "acme-ios,monthly,P1M", "acme-ios,weekly,1 week",
            "bad period `1 week`: an ISO 8601 duration such as P1M, P1W or P1Y"
        ),
        (
            ["prices"], "app_id,product_id,country,currency,price", "acme-ios,monthly,US,USD,9.99",
            "acme-ios,monthly,US,USD,8.99", "it contradicts line 2, which says 9990000 micros of USD for the same day"
        ),
        (
            ["fx", "--base", "USD", "--source", "bank"], "date,currency,rate", "2026-03-02,EUR,0.92",
            "2026-03-03,EUR,n/a", "bad rate `n/a` for EUR: write a number such as 1.0834"
        ),
        (
            ["commission-rules"], "rule,store,app_id,rate,valid_from",
            "small_business,app_store,acme-ios,0.15,2026-01-01",
            "small_business,app_store,,0.15,2026-01-01", "missing app_id: a membership is an app's own"
        ),
        (
            ["tax-rates"], "country,rate,is_inclusive", "DE,0.19,true", "Germany,0.19,true",
            "bad country `Germany`: two letters of ISO 3166-1, such as US or JP"
        ),
    ]

    private static func run(
        _ arguments: [String], in folder: ConfigurationFolder, input: String = ""
    ) async throws -> CommandLineRun.Result {
        try await CommandLineRun(
            product: "subledger", arguments: arguments, environment: ["SUBLEDGER_CONFIG": ""], folder: folder.path,
            standardInput: input
        ).run()
    }

    @Test
    func `imports of dated facts exit 0, 2 with a bad line, 1 without a good one, and name bad lines`() async throws {
        try await ConfigurationFolder.with { folder in
            #expect(try await Self.run(["db", "start", "--quiet"], in: folder).exitCode == 0)
            for one in Self.cases { try await Self.check(one, in: folder) }
            #expect(try await Self.run(["db", "stop", "--quiet"], in: folder).exitCode == 0)
        }
    }

    private static func check(_ one: Case, in folder: ConfigurationFolder) async throws {
        let command = ["import", one.arguments[0], "-", "--quiet"] + one.arguments.dropFirst()
        let title = Comment(rawValue: one.arguments[0])
        let mixed = try await run(command, in: folder, input: "\(one.header)\n\(one.good)\n\(one.bad)\n")
        #expect(mixed.exitCode == 2, title)
        #expect(mixed.standardError == "stdin:3: \(one.complaint)\n", title)
        #expect(mixed.standardOutput == "1 lines taken (1 new rows), 1 refused\n", title)
        let again = try await run(command, in: folder, input: "\(one.header)\n\(one.good)\n")
        #expect(again.exitCode == 0, title)
        #expect(again.standardError == "", title)
        #expect(again.standardOutput == "1 lines taken (0 new rows), 0 refused\n", title)
        let broken = try await run(command, in: folder, input: "\(one.header)\nnonsense\n")
        #expect(broken.exitCode == 1, title)
        #expect(broken.standardError.hasPrefix("stdin:2: it has 1 fields where the header names"), title)
        #expect(broken.standardOutput == "0 lines taken (0 new rows), 1 refused\n", title)
    }

    @Test
    func `rates without a base exit 64 and change nothing; the European Central Bank's file needs none`() async throws {
        try await ConfigurationFolder.with { folder in
            let before = folder.contents
            let lines = [
                "date,currency,rate\n2026-03-02,EUR,0.92\n",
                "{\"date\":\"2026-03-02\",\"currency\":\"EUR\",\"rate\":1}\n",
            ]
            for text in lines {
                let run = try await Self.run(["import", "fx", "-"], in: folder, input: text)
                #expect(run.exitCode == 64)
                #expect(run.standardOutput == "")
                #expect(
                    run.standardError == """
                        stdin: the rates are for one of which currency? Give --base (only the European Central Bank's file \
                        needs none)

                        """)
            }
            #expect(folder.contents == before)
            let bank = try await Self.run(
                ["import", "fx", "-", "--quiet"], in: folder, input: "Date,USD,JPY,\n2026-03-05,1.0834,N/A,\n")
            #expect(bank.exitCode == 0)
            #expect(bank.standardOutput == "1 lines taken (2 new rows), 0 refused\n")
        }
    }
}
