// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model
import TestSupport
import Testing

@testable import Reports

/// `transactions.csv`: an export has every transaction of its days, an issue none of the file.
@Suite struct TransactionsFileTests {
    private static func write(
        _ world: ReportWorld, in directory: String, seal: Int64 = 2, isExport: Bool = true, copies: CSVCopies? = nil,
        first: String? = nil, last: String? = nil
    ) async throws -> String {
        let request = ReportRequest(
            seal: seal, runID: seal, businessDate: try #require(BusinessDate(seal == 1 ? "2026-02-06" : "2026-02-07")),
            asOf: try #require(Instant(iso8601: "2026-02-08T02:00:00Z")), directory: directory,
            firstDate: first.flatMap { BusinessDate($0) }, lastDate: last.flatMap { BusinessDate($0) },
            upkeep: isExport ? .leftAlone : .movedOn, copies: copies)
        return try await ReportStage().issue(on: world.connection, request: request).path
    }

    private static func history(_ world: ReportWorld) async throws {
        try await world.night(1, for: "2026-02-06")
        try await world.night(2, for: "2026-02-07")
        var old = Sale(id: "t1", from: "2024-12-05 12:00Z", to: "2025-01-05 12:00Z", lineage: 9)
        try await world.charged(old)
        // The second night learns of its refund.
        (old.refundedAt, old.refundKind, old.refund) = ("2026-02-01 08:30:05.75Z", "partial", 1_250_000)
        try await world.sold(old, seal: 2)
        try await world.charged(
            Sale(
                key: 2, id: "=t2", product: "yen", from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z",
                price: 1_500_000_000, currency: "JPY", country: nil, environment: "sandbox"))
    }

    /// Every row of the books, whatever the days of the issue's sheets are; amounts, instants and ids as they are.
    @Test func `an export has all transactions, an issue none`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await Self.history(world)
                let issue = try await Self.write(world, in: directory + "/issues", isExport: false)
                #expect(!FileManager.default.fileExists(atPath: issue + "/transactions.csv"))
                let export = try await Self.write(world, in: directory + "/exports")
                let lines = try String(contentsOfFile: export + "/transactions.csv", encoding: .utf8)
                    .split(separator: "\n").map(String.init)
                #expect(
                    lines == [
                        "app_id,store,product_id,subscription_key,transaction_id,original_transaction_id,lineage_key,kind,country,"
                            + "purchased_at,period_start,period_end,currency,price,tax,proceeds,price_source,proceeds_source,"
                            + "refunded_at,refund_kind,refund,refund_source,billing_plan,environment,ownership",
                        "acme-ios,app_store,monthly,1,t1,,9,purchase,US,2024-12-05T12:00:00Z,2024-12-05T12:00:00Z,"
                            + "2025-01-05T12:00:00Z,USD,9.990000,,,store_price,missing,2026-02-01T08:30:05Z,partial,1.250000,,,"
                            + "production,purchased",
                        "acme-ios,app_store,yen,2,'=t2,,2,purchase,,2026-01-05T12:00:00Z,2026-01-05T12:00:00Z,"
                            + "2026-02-05T12:00:00Z,JPY,1500.000000,,,store_price,missing,,,,,,sandbox,purchased",
                    ])
                let file = try #require(Manifest.read(in: export)?.files["transactions.csv"])
                let written = try WrittenFile.describe(export + "/transactions.csv")
                #expect(file.rows == 2 && file.sha256 == written.sha256)
                #expect(Manifest.read(in: issue)?.files["transactions.csv"] == nil)
            }
        }
    }

    @Test func `it has the days that are asked for, as the seal knew them`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await Self.history(world)
                // Bought long before, paid back within them; the first seal knew of no refund.
                for (seal, ids) in [(2, ["t1"]), (1, [])] as [(Int64, [String])] {
                    let export = try await Self.write(
                        world, in: directory + "/\(seal)", seal: seal, first: "2026-02-01", last: "2026-02-03")
                    let lines = try String(contentsOfFile: export + "/transactions.csv", encoding: .utf8)
                        .split(separator: "\n").dropFirst()
                    #expect(lines.map { $0.split(separator: ",")[4] } == ids.map { $0[...] }, "seal \(seal)")
                }
            }
        }
    }

    @Test func `a profile of spreadsheets has its copy beside the others`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await Self.history(world)
                let copies = CSVCopies(name: "excel:de", profile: try #require(CSVProfile(excelFor: "de")))
                let export = try await Self.write(world, in: directory, copies: copies)
                let bytes = try Data(contentsOf: URL(fileURLWithPath: export + "/excel:de/transactions.csv"))
                let text = String(decoding: bytes.dropFirst(3), as: UTF8.self)
                #expect(Array(bytes.prefix(3)) == [0xEF, 0xBB, 0xBF] && text.hasPrefix("app_id;store;"))
                #expect(text.contains(";USD;9,990000;;;store_price"))
                #expect(Manifest.read(in: export)?.files["excel:de/transactions.csv"]?.rows == 2)
            }
        }
    }
}
