// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model
import Signing
import TestSupport
import Testing

@testable import Reports

/// Figures of issues, cited after the books moved on: what was issued and what moved it come to today's figure.
@Suite struct CitationTests {
    private static let first = Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z")
    /// Sold by the year, for two of whom 10 ÷ 12 is no whole number of millionths.
    private static func yearly(_ key: Int64) -> Sale {
        Sale(
            key: key, id: "y\(key)", product: "yearly", from: "2026-01-06 12:00Z", to: "2027-01-06 12:00Z",
            price: 10_000_000)
    }

    private static func issue(
        _ world: ReportWorld, _ seal: Int64, _ day: String, in directory: String, timeZone: String = "UTC"
    ) async throws {
        try await world.night(seal, for: day, issued: false)
        let request = ReportRequest(
            seal: seal, runID: seal, businessDate: try #require(BusinessDate(day)),
            asOf: try #require(Instant(iso8601: "\(day)T23:00:00Z")), timeZone: timeZone, directory: directory)
        let issued = try await ReportStage().issue(on: world.connection, request: request)
        #expect(issued.isReconciled)
    }

    /// One sale of 9.99 and one of an unknown price, issued on the 6th of February; then what the body adds under seal 2, issued
    /// on the 7th.
    private static func withIssues(
        _ learn: (ReportWorld) async throws -> Void, _ body: (ReportWorld, String) async throws -> Void
    ) async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { place in
                let directory = place + "/reports"
                try await world.charged(first)
                try await world.sold(
                    Sale(
                        key: 2, id: "t2", from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", price: nil, currency: nil)
                )
                try await issue(world, 1, "2026-02-06", in: directory)
                try await world.night(2, for: "2026-02-07", issued: false)
                try await learn(world)
                try await issue(world, 3, "2026-02-08", in: directory)
                try await body(world, directory)
            }
        }
    }

    /// A refund of 3.00 of the first sale on the 20th of January; 4.00 for the second, whose price an import brought; and a
    /// third sale of 5.50 on the 7th, which the store told late.
    private static func learn(_ world: ReportWorld) async throws {
        var refunded = first
        (refunded.refundedAt, refunded.refundKind, refunded.refund) = ("2026-01-20 12:00Z", "partial", 3_000_000)
        try await world.sold(refunded, seal: 2)
        try await world.booked("refund", -3_000_000, at: "2026-01-20 12:00Z", of: refunded, seal: 2)
        let priced = Sale(
            key: 2, id: "t2", from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", price: 4_000_000)
        try await world.sold(priced, seal: 2)
        try await world.booked("charge", 4_000_000, at: priced.from, of: priced, seal: 2)
        try await world.charged(
            Sale(key: 3, id: "t3", from: "2026-01-07 12:00Z", to: "2026-02-07 12:00Z", price: 5_500_000), seal: 2)
    }

    private static func cite(
        _ figure: String, _ world: ReportWorld, _ directory: String, issue: String? = "2026-02-06"
    ) async throws -> Citation {
        let citation = try await CitationStage(connection: world.connection, directory: directory)
            .cite(figure, issue: issue)
        // Whatever the figure: the bridge closes to the millionth.
        let issued = citation.issued.micros ?? 0
        let bridged = citation.movements.reduce(issued) { $0 + $1.micros }
        if let today = citation.today, !figure.hasSuffix("_rate"), citation.name.report != "company" {
            #expect(bridged == today.amount.micros ?? 0, "\(figure)")
        }
        return citation
    }

    private static func bridge(_ citation: Citation) -> [String] {
        let sums = citation.movements.map { movement in
            "\(movement.cause.rawValue) \(movement.micros) \(movement.count) \(movement.largest ?? "-")"
        }
        return ["\(citation.issued.text ?? "unknown")"] + sums + ["\(citation.today?.amount.text ?? "unknown")"]
    }

    /// The lines of an issued file that begin so, and their checksum by this test's own reckoning.
    private static func lines(_ file: String, _ prefix: String) throws -> (count: Int, sha256: String) {
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").filter {
            $0.hasPrefix(prefix)
        }
        return (lines.count, Hex.encode(SHA256.digest(of: lines.map { $0 + "\n" }.joined())))
    }

    @Test func `a late refund, an imported price and a sale told late bridge what was issued to today`() async throws {
        try await Self.withIssues(Self.learn) { world, directory in
            // 9.99 − 3.00 + 4.00 + 5.50
            let net = try await Self.cite("revenue[date=2026-01-01..2026-01-31].net", world, directory)
            #expect(
                Self.bridge(net) == [
                    "9.990000", "transactions 5500000 1 t3", "prices 4000000 1 t2", "refunds -3000000 1 t1",
                    "16.490000",
                ])
            #expect(net.issued.currency == "USD" && net.issue.seal == 1 && net.today?.seal == 3)
            // Of the day of the sale the refund moves nothing.
            let gross = try await Self.cite("revenue[date=2026-01-05].gross", world, directory)
            #expect(Self.bridge(gross) == ["9.990000", "prices 4000000 1 t2", "13.990000"])
            let counted = try await Self.cite("revenue[date=2026-01-05].charges", world, directory)
            #expect(Self.bridge(counted) == ["1", "prices 1000000 1 t2", "2"])
        }
    }

    @Test func `MRR, subscribers and churn are bridged by the same transactions`() async throws {
        try await Self.withIssues(Self.learn) { world, directory in
            // All three are of one month: their MRR is their price. The App Store's refund ends the first on the 20th.
            let closing = try await Self.cite("mrr_bridge[date=2026-01-31].closing", world, directory)
            #expect(
                Self.bridge(closing) == [
                    "9.990000", "refunds -9990000 1 t1", "transactions 5500000 1 t3", "prices 4000000 1 t2", "9.500000",
                ])
            let active = try await Self.cite("subscribers[date=2026-01-10].active", world, directory)
            #expect(Self.bridge(active) == ["2", "transactions 1000000 1 3", "3"])
            let churn = try await Self.cite("churn[date=2026-01-20].churned", world, directory)
            #expect(Self.bridge(churn) == ["0", "refunds 1000000 1 t1", "1"])
        }
    }

    @Test func `rates that were imported are told apart from what was sold`() async throws {
        try await Self.withIssues { world in
            // 2 dollars for one euro, known since long ago, and a second sale in euros that was told late.
            try await world.rate("USD", "2", on: "2020-01-01", seal: 2)
            try await world.charged(
                Sale(
                    key: 5, id: "e5", from: "2026-01-05 13:00Z", to: "2026-02-05 13:00Z", price: 1_000_000,
                    currency: "EUR"), seal: 2)
        } _: { world, directory in
            // The world reports in dollars: 9.99 stays, 1 EUR is 2 dollars.
            let net = try await Self.cite("revenue[date=2026-01-05].net_reporting", world, directory)
            #expect(Self.bridge(net) == ["9.990000", "transactions 2000000 1 e5", "11.990000"])
        }
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { place in
                let euros = Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", currency: "EUR")
                try await world.charged(euros)
                try await Self.issue(world, 1, "2026-02-06", in: place)
                try await world.night(2, for: "2026-02-07", issued: false)
                try await world.rate("USD", "2", on: "2020-01-01", seal: 2)
                try await Self.issue(world, 3, "2026-02-08", in: place)
                let net = try await Self.cite("revenue[date=2026-01-05].net_reporting", world, place)
                #expect(Self.bridge(net) == ["unknown", "rates 19980000 1 t1", "19.980000"])
                let mrr = try await Self.cite("mrr_bridge[date=2026-01-31].closing_reporting", world, place)
                #expect(Self.bridge(mrr) == ["unknown", "rates 19980000 1 t1", "19.980000"])
                let own = try await Self.cite("revenue[date=2026-01-05].net", world, place)
                #expect(Self.bridge(own) == ["9.990000", "9.990000"])
            }
        }
    }

    /// A renewal in euros at another rate, learned late: what moved is the transaction; both rates were known long before.
    @Test func `what known rates make of a late renewal is no import`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { place in
                try await world.rate("USD", "2", on: "2020-01-01")
                try await world.rate("USD", "3", on: "2026-02-01")
                try await world.charged(
                    Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", price: 1_000_000, currency: "EUR"))
                try await Self.issue(world, 1, "2026-02-06", in: place)
                try await world.night(2, for: "2026-02-07", issued: false)
                try await world.charged(
                    Sale(
                        id: "t2", kind: "renewal", from: "2026-02-05 12:00Z", to: "2026-03-05 12:00Z", price: 1_000_000,
                        currency: "EUR"), seal: 2)
                try await Self.issue(world, 3, "2026-02-08", in: place)
                // One euro was 2 dollars and is 3.
                let fx = try await Self.cite("mrr_bridge[date=2026-02-05].fx_reporting", world, place)
                #expect(Self.bridge(fx) == ["0.000000", "transactions 1000000 1 t2", "1.000000"])
            }
        }
    }

    /// Two purchases of a month each, the second of which is learned to continue the first: one subscriber, whose renewal it is.
    @Test func `a link between purchases that is learned later is named`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { place in
                let later = Sale(
                    key: 2, id: "t2", from: "2026-02-05 12:00Z", to: "2026-03-05 12:00Z")
                try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
                try await world.charged(later)
                try await Self.issue(world, 1, "2026-02-06", in: place)
                try await world.night(2, for: "2026-02-07", issued: false)
                var linked = later
                linked.lineage = 1
                try await world.sold(linked, seal: 2)
                try await world.connection.script("insert into subledger.lineage_links values (2, 1, 2)")
                try await Self.issue(world, 3, "2026-02-08", in: place)
                // The first was past its time without a word: it counted beside the second.
                let active = try await Self.cite("subscribers[date=2026-02-05].active", world, place)
                #expect(Self.bridge(active) == ["2", "links -1000000 1 2", "1"])
                let new = try await Self.cite("mrr_bridge[date=2026-02-05].new", world, place)
                #expect(Self.bridge(new) == ["9.990000", "links -9990000 1 t2", "0.000000"])
            }
        }
    }

    @Test func `figures of the whole company are cited by their names, of the last month that is over`() async throws {
        try await Self.withIssues(Self.learn) { world, directory in
            let arpu = try await Self.cite("arpu", world, directory)
            #expect(arpu.name.description == "company[month=2026-01,figure=arpu].value")
            // 9.99 of two subscribers from the 5th of January on: 27 of 31 days, 54 ÷ 31.
            #expect(arpu.issued.text == "5.735000" && arpu.issued.currency == "USD")
            #expect(arpu.formulas.map(\.column) == ["figure", "value"])
            #expect(arpu.movements.isEmpty && arpu.today?.amount.text != arpu.issued.text)
            let growth = try await Self.cite("growth", world, directory)
            #expect(growth.issued.text == nil && growth.issued.currency == nil)
        }
    }

    @Test func `parts that are rounded one by one leave a millionth, which is named`() async throws {
        try await Self.withIssues { world in
            for key in [Int64(11), 12] { try await world.charged(Self.yearly(key), seal: 2) }
        } _: { world, directory in
            // 9.99 + 2 × 0.8333333…: 11.6566666… is 11.656667, and its parts are 0.833333 each.
            let closing = try await Self.cite("mrr_bridge[date=2026-01-31].closing", world, directory)
            #expect(
                Self.bridge(closing) == ["9.990000", "transactions 1666666 2 y11", "rounding 1 0 -", "11.656667"])
        }
    }

    @Test func `estimates that other tax rates move are told apart, whatever else was written of the customer`()
        async throws
    {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { place in
                try await world.tax("DE", "0.19", inclusive: true, from: "2021-01-01")
                for key in [Int64(1), 2] {
                    try await world.charged(
                        Sale(
                            key: key, id: "t\(key)", from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z",
                            price: 11_900_000,
                            country: "DE"))
                }
                try await Self.issue(world, 1, "2026-02-06", in: place)
                try await world.night(2, for: "2026-02-07", issued: false)
                try await world.tax("DE", "0.25", inclusive: true, from: "2021-01-01", seal: 2)
                try await world.became("active", key: 2, at: "2026-02-05 12:00Z", expires: "2026-03-05 12:00Z", seal: 2)
                try await Self.issue(world, 3, "2026-02-08", in: place)
                // 2 × 11.90 ÷ 1.19 × 0.7 = 14.00; 2 × 11.90 ÷ 1.25 × 0.7 = 13.328. One of them was written of.
                let proceeds = try await Self.cite("revenue[date=2026-01-05].proceeds", world, place)
                #expect(Self.bridge(proceeds) == ["14.000000", "rules -672000 1 t2", "13.328000"])
            }
        }
    }

    @Test func `another time zone moves what was sold at its night, and another currency is not compared`() async throws
    {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { place in
                // The evening of the 5th in London is the morning of the 6th in Tokyo.
                try await world.charged(Sale(from: "2026-01-05 20:00Z", to: "2026-02-05 20:00Z"))
                try await Self.issue(world, 1, "2026-02-06", in: place)
                try await world.report(in: "JPY", after: 1)
                try await Self.issue(world, 2, "2026-02-07", in: place, timeZone: "Asia/Tokyo")
                let net = try await Self.cite("revenue[date=2026-01-05].net", world, place)
                #expect(Self.bridge(net) == ["9.990000", "time_zone -9990000 0 -", "0.000000"])
                let mrr = try await Self.cite("mrr_bridge[date=2026-01-31].closing_reporting", world, place)
                #expect(mrr.issued == FigureAmount(micros: 9_990_000, isCount: false, currency: "USD"))
                #expect(mrr.today == nil && mrr.movements.isEmpty && mrr.difference == nil)
            }
        }
    }

    @Test func `lines of the file and entries of the ledger are counted and have a checksum`() async throws {
        try await Self.withIssues(Self.learn) { world, directory in
            let net = try await Self.cite("revenue[date=2026-01-05,currency=USD].net", world, directory)
            let path = directory + "/2026-02-06/revenue.csv"
            let lines = try Self.lines(path, "2026-01-05,")
            #expect(net.rows.count == 1 && lines.count == 1 && net.rows.sha256 == lines.sha256)
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            #expect(net.issue.fileSHA256 == Hex.encode(SHA256.digest(bytes)))
            // As the first seal knew them: the charge alone, without what was learned since.
            let entry = "1,t1,monthly,1,charge,2026-01-05T12:00:00.000000Z,9990000,USD,store_price\n"
            #expect(net.ledger?.entries.count == 1 && net.ledger?.micros == 9_990_000)
            #expect(net.ledger?.entries.sha256 == Hex.encode(SHA256.digest(of: entry)))
            // Of the later issue: the charges by subscription, and the refund among them.
            let later = try await Self.cite(
                "revenue[date=2026-01-01..2026-01-31].net", world, directory, issue: "2026-02-08")
            let entries = [
                entry, "1,t1,monthly,2,refund,2026-01-20T12:00:00.000000Z,-3000000,USD,store_price\n",
                "2,t2,monthly,1,charge,2026-01-05T12:00:00.000000Z,4000000,USD,store_price\n",
                "3,t3,monthly,1,charge,2026-01-07T12:00:00.000000Z,5500000,USD,store_price\n",
            ]
            #expect(later.rows.count == 3 && later.movements.isEmpty && later.difference == 0)
            #expect(later.ledger?.entries.count == 4 && later.ledger?.micros == 16_490_000)
            #expect(later.ledger?.entries.sha256 == Hex.encode(SHA256.digest(of: entries.joined())))
            let refunded = try await Self.cite(
                "refunds[date=2026-01-20,kind=partial].refunded", world, directory, issue: "2026-02-08")
            #expect(refunded.issued.text == "3.000000" && refunded.ledger?.micros == 3_000_000)
            #expect(refunded.ledger?.entries.sha256 == Hex.encode(SHA256.digest(of: entries[1])))
            // Periods are no entries of the ledger.
            let closing = try await Self.cite("mrr_bridge[date=2026-01-31].closing", world, directory)
            #expect(closing.ledger == nil)
        }
    }

    @Test func `the newest issue is cited where none is named, headline figures by their names`() async throws {
        try await Self.withIssues(Self.learn) { world, directory in
            let mrr = try await Self.cite("mrr", world, directory, issue: nil)
            #expect(mrr.name.description == "mrr_bridge[date=2026-02-08].closing_reporting")
            #expect(mrr.issue.name == "2026-02-08" && mrr.difference == 0)
            // A report about its own issue has no figure of today.
            let change = try await Self.cite(
                "changes[date=2026-01-20,figure=refunded USD].after", world, directory, issue: nil)
            #expect(change.issued.text == "3.000000" && change.today == nil)
            #expect(mrr.formulas.first?.definition == "closing in the reporting currency")
        }
    }

    @Test func `a share is cited with both values, and not bridged`() async throws {
        try await Self.withIssues(Self.learn) { world, directory in
            let rate = try await Self.cite("refund_rates[month=2026-01].refund_rate", world, directory)
            // Of one charge none was refunded; of three one is, which is a third to six decimals.
            #expect(rate.issued.text == "0.000000" && rate.today?.amount.text == "0.333333")
            #expect(rate.movements.isEmpty)
        }
    }
}
