// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Testing

@testable import Reports
@testable import subledger

/// What `cite` prints, for people and for machines.
@Suite struct CitationTextTests {
    private static func citation(_ movements: [Movement], today: Int64) throws -> Citation {
        Citation(
            name: try FigureName("revenue[date=2026-05-03].net"), report: "Revenue by day",
            formulas: [Citation.Formula(column: "net", definition: "gross − refunded")], hasOtherDefinitions: false,
            issue: Citation.Issue(
                name: "2026-05-03", isExport: false, folder: "/reports/2026-05-03", seal: 4,
                asOf: "2026-05-04T02:00:00Z", businessDate: "2026-05-03", definitionsVersion: 2, manifestSHA256: "mm",
                file: "revenue.csv",
                fileSHA256: "ff"),
            issued: FigureAmount(micros: 12_500_000, isCount: false, currency: "USD"),
            rows: Citation.Rows(count: 2, sha256: "aa"),
            ledger: Citation.Ledger(entries: Citation.Rows(count: 1, sha256: "bb"), micros: 12_500_000),
            today: Citation.Today(
                amount: FigureAmount(micros: today, isCount: false, currency: "USD"), rows: 2, seal: 9,
                asOf: Instant(micros: 1_778_000_000_000_000)),
            movements: movements)
    }

    private static let movements = [
        Movement(cause: .refunds, micros: -3_000_000, count: 2, largest: "t1", largestMicros: -2_000_000),
        Movement(cause: .rounding, micros: 1, count: 0, largest: nil, largestMicros: 0),
    ]

    @Test func `the bridge leads from what was issued to what it is today`() throws {
        // 12.5 − 3 + 0.000001
        let text = CitationText(try Self.citation(Self.movements, today: 9_500_001)).description
        #expect(
            text == """
                revenue[date=2026-05-03].net
                  issued  12.500000 USD
                  today   9.500001 USD  (as of seal 9, 2026-05-05T16:53:20Z)
                  moved   -2.999999 USD

                Why it moved
                  issued                 12.500000 USD
                  refunds learned since  -3.000000 USD  2 transactions, most -2.000000 USD by t1
                  rounding of the parts  +0.000001 USD
                  today                  9.500001 USD
                  the largest: subledger explain t1

                What it is
                  Revenue by day
                  net: gross − refunded

                What it is made of
                  2 lines of revenue.csv, SHA-256 aa
                  1 entry of the ledger, SHA-256 bb
                  they add up to it

                Where it was issued
                  issue 2026-05-03, seal 4, as of 2026-05-04T02:00:00Z, definitions version 2
                  /reports/2026-05-03/revenue.csv, as it was issued, SHA-256 ff
                  its manifest, SHA-256 mm
                """)
    }

    @Test func `a figure that has not moved has no bridge`() throws {
        let text = CitationText(try Self.citation([], today: 12_500_000)).description
        #expect(text.contains("12.500000 USD  (as of seal 9, 2026-05-05T16:53:20Z): it has not moved"))
        #expect(!text.contains("Why it moved"))
    }

    @Test func `machines get exact decimals as text`() throws {
        let text = JSONOutput.line(CitationJSON(try Self.citation(Self.movements, today: 9_500_001)))
        for part in [
            #""issued":{"as_of":"2026-05-04T02:00:00Z","currency":"USD","rows":2,"seal":4,"value":"12.500000"}"#,
            #""difference":"-2.999999""#,
            #"{"amount":"-3.000000","cause":"refunds","largest":"t1","largest_amount":"-2.000000","transactions":2}"#,
            #""ledger":{"entries":1,"sha256":"bb","sum":"12.500000"}"#, #""figure":"revenue[date=2026-05-03].net""#,
        ] { #expect(text.contains(part), "\(text)") }
    }

    @Test
    func `a wrong name is wrong usage, a changed file a failure, and tables that are being built a matter of time`() {
        #expect(JobEnding(CitationError(.name, "x")) == .usage)
        #expect(JobEnding(CitationError(.changed, "x")) == .failed)
        #expect(JobEnding(CitationError(.notReady, "x")) == .tryLater)
    }
}
