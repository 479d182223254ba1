// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// A refund told late, in issued files: its day moves, the change list says so, and no earlier report does.
@Suite struct LateRefundTests {
    /// Day 1 is the 1st of January 2026; the night of a day is that of the morning after it.
    private static func day(_ number: Int) throws -> BusinessDate {
        try #require(BusinessDate("2026-01-01")?.adding(days: number - 1))
    }

    private static func issue(_ night: Int, _ world: ReportWorld, in directory: String) async throws -> String {
        let date = try day(night)
        let morning = try day(night + 1)
        let asOf = try #require(Instant(iso8601: "\(morning)T02:00:00Z"))
        let request = ReportRequest(
            seal: Int64(night), runID: Int64(night), businessDate: date, asOf: asOf, directory: directory,
            upkeep: directory.hasSuffix("again") ? .leftAlone : .movedOn)
        let issued = try await ReportStage().issue(on: world.connection, request: request)
        #expect(issued.isReconciled)
        return issued.path
    }

    private static func lines(_ path: String, _ file: String) throws -> [String] {
        try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test
    func `E2: a refund on day 40 changes day 40, is in the change list, and no earlier report moves`() async throws {
        try await Self.play()
    }

    private static func play() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                // Sold on the 20th of January (day 20) to the 20th of February (day 51) for 9.99.
                let sale = Sale(from: "2026-01-20 12:00Z", to: "2026-02-20 12:00Z")
                let other = Sale(key: 2, id: "t2", from: "2026-02-09 08:00Z", to: "2026-03-09 08:00Z")
                for night in 38...45 { try await world.night(Int64(night), for: "\(try day(night))") }
                for sold in [sale, other] {
                    let seal: Int64 = sold.key == 1 ? 38 : 40
                    try await world.charged(sold, seal: seal)
                    try await world.became(
                        "active", key: sold.key, at: sold.from, expires: sold.to, autoRenew: true, seal: seal)
                }
                // On day 40 (the 9th of February) 4.00 of the first were given back: the store tells it on night 45.
                var refunded = sale
                (refunded.refundedAt, refunded.refundKind, refunded.refund) = (
                    "2026-02-09 12:00Z", "partial", 4_000_000
                )
                try await world.sold(refunded, seal: 45)
                try await world.booked("refund", -4_000_000, at: "2026-02-09 12:00Z", of: refunded, seal: 45)

                var issued: [Int: String] = [:]
                for night in 38...45 { issued[night] = try await issue(night, world, in: directory + "/reports") }
                let before = try lines(try #require(issued[44]), "revenue.csv")
                let after = try lines(try #require(issued[45]), "revenue.csv")
                // One row of revenue moves: day 40, which had a charge of 9.99 and now has a refund of 4.00 besides.
                #expect(Set(before).subtracting(after).count == 1 && Set(after).subtracting(before).count == 1)
                #expect(
                    Set(after).subtracting(before).first?.hasPrefix(
                        "2026-02-09,acme-ios,app_store,monthly,US,USD,1,1,9.990000,4.000000,5.990000,") == true)
                // What is recognised moves from that day on: its own past stands.
                let earned = Set(try lines(try #require(issued[45]), "recognised.csv")).subtracting(
                    try lines(try #require(issued[44]), "recognised.csv"))
                #expect(earned.allSatisfy { $0 >= "2026-02-09" } && earned.count == 6)
                // The App Store's refund, of a part too, ends the period it is of.
                #expect(
                    try lines(try #require(issued[45]), "changes.csv").dropFirst() == [
                        "churned refund,2026-02-09,acme-ios,monthly,0,1,t1",
                        "mrr churn_refund USD,2026-02-09,acme-ios,monthly,0.000000,-9.990000,t1",
                        "refunded USD,2026-02-09,acme-ios,monthly,0.000000,4.000000,t1",
                    ])
                #expect(try lines(try #require(issued[44]), "changes.csv").count == 1)
                try await expectSame(issued, world, in: directory)
            }
        }
    }

    /// Each night's report asked for again, after everything: the tables that were issued then.
    private static func expectSame(_ issued: [Int: String], _ world: ReportWorld, in directory: String) async throws {
        for night in 38...45 {
            let path = try #require(issued[night])
            let again = try await issue(night, world, in: directory + "/again")
            // An export is no link of the chain: its manifest is its own.
            for file in try FileManager.default.contentsOfDirectory(atPath: path) where file != "manifest.json" {
                #expect(
                    FileManager.default.contentsEqual(atPath: "\(path)/\(file)", andPath: "\(again)/\(file)"),
                    "\(file) of night \(night) differs")
            }
        }
    }
}
