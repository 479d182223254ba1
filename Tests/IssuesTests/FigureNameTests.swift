// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// Which figure a name means, and which texts name none.
@Suite struct FigureNameTests {
    private typealias Condition = FigureName.Condition

    @Test func `a name is a file, the rows meant and a column`() throws {
        let name = try FigureName("revenue[date=2026-05-03, app_id=acme-ios,currency=USD].net")
        #expect(
            name
                == FigureName(
                    report: "revenue",
                    conditions: [
                        Condition(column: "date", first: "2026-05-03", last: nil),
                        Condition(column: "app_id", first: "acme-ios", last: nil),
                        Condition(column: "currency", first: "USD", last: nil),
                    ], columns: ["net"]))
        #expect(name.description == "revenue[date=2026-05-03,app_id=acme-ios,currency=USD].net")
    }

    @Test func `rows may be a span of days, all there are, or those of an unknown country`() throws {
        let span = try FigureName("revenue[date=2026-05-01..2026-05-31,country=].gross")
        #expect(
            span.conditions == [
                Condition(column: "date", first: "2026-05-01", last: "2026-05-31"),
                Condition(column: "country", first: "", last: nil),
            ])
        #expect(span.description == "revenue[date=2026-05-01..2026-05-31,country=].gross")
        let whole = try FigureName("refunds.refunded")
        #expect(whole == FigureName(report: "refunds", conditions: [], columns: ["refunded"]))
    }

    @Test func `several columns are added up`() throws {
        #expect(
            try FigureName("subscribers[date=2026-05-03].grace+billing_retry").columns == ["grace", "billing_retry"])
    }

    @Test func `a value with commas, brackets, quotes or dots is in quotes, and is written so again`() throws {
        let text = #"revenue[product_id="gold, ""[yearly]""..x",store=app_store].net"#
        let name = try FigureName(text)
        #expect(name.conditions.first == Condition(column: "product_id", first: #"gold, "[yearly]"..x"#, last: nil))
        #expect(name.description == text)
        #expect(try FigureName(name.description) == name)
    }

    @Test(arguments: [
        "revenue", "revenue.", ".net", "revenue[date=2026-05-03]", "revenue[date=2026-05-03.net", "revenue[date].net",
        "revenue[=2026].net", "revenue[].net", "revenue[date=1,date=2].net", "revenue[date=1]net", "revenue.net+",
        "revenue.net gross", "revenue[date=\"2026].net",
    ])
    func `any other text names none`(text: String) {
        #expect(throws: CitationError.self) { try FigureName(text) }
    }

    @Test func `a row contains what a spreadsheet would take for a formula behind an apostrophe`() {
        let condition = Condition(column: "product_id", first: "=gold", last: nil)
        #expect(condition.matches("=gold") && condition.matches("'=gold") && !condition.matches("gold"))
    }

    @Test func `headline figures are cells of the last day, or of thirty`() throws {
        let headlines = try HeadlineFigures(through: try #require(BusinessDate("2026-03-05")))
        func name(_ text: String) throws -> String {
            try headlines.figure(text) { report, column in
                (report, column) == ("mrr_bridge", "closing_reporting")
                    || (report, column) == ("revenue", "net_reporting")
            }.description
        }
        #expect(try name("mrr") == "mrr_bridge[date=2026-03-05].closing_reporting")
        #expect(try name("active") == "subscribers[date=2026-03-05].active")
        #expect(try name("activeSubscribers") == "subscribers[date=2026-03-05].active")
        // Five days of March and the last 25 of the 28 of February.
        #expect(try name("net_revenue30") == "revenue[date=2026-02-04..2026-03-05].net_reporting")
        #expect(try name("at_risk") == "subscribers[date=2026-03-05].grace+billing_retry")
    }

    @Test func `a ratio is no cell: what it divides is named, and a word near a figure's leads to it`() throws {
        let headlines = try HeadlineFigures(through: try #require(BusinessDate("2026-03-05")))
        func refusal(_ text: String) -> String {
            do throws(CitationError) {
                return try headlines.figure(text) { _, _ in false }.description
            } catch {
                return error.description
            }
        }
        #expect(refusal("trial_conversion").contains("trials[…].converted and started"))
        #expect(refusal("churn_rate30").contains("stands in no file"))
        #expect(refusal("mmr").contains("did you mean mrr?"))
        #expect(refusal("profit").contains("they are mrr, active_subscribers"))
    }
}
