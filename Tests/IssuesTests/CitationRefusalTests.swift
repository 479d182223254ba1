// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// What cannot be cited says why, and what to do.
@Suite struct CitationRefusalTests {
    private static func withIssue(_ body: (ReportWorld, String) async throws -> Void) async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
                try await world.night(1, for: "2026-02-06", issued: false)
                let request = ReportRequest(
                    seal: 1, runID: 1, businessDate: try #require(BusinessDate("2026-02-06")),
                    asOf: try #require(Instant(iso8601: "2026-02-06T23:00:00Z")), directory: directory)
                _ = try await ReportStage().issue(on: world.connection, request: request)
                try await body(world, directory)
            }
        }
    }

    private static func refusal(
        _ figure: String, _ world: ReportWorld, _ directory: String, issue: String? = nil
    ) async throws -> CitationError? {
        do {
            _ = try await CitationStage(connection: world.connection, directory: directory).cite(figure, issue: issue)
            return nil
        } catch let error as CitationError {
            return error
        }
    }

    @Test func `a figure of a changed file is refused; those of the others are cited`() async throws {
        try await Self.withIssue { world, directory in
            let file = directory + "/2026-02-06/revenue.csv"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            try text.replacing("9.990000", with: "9.980000").write(toFile: file, atomically: true, encoding: .utf8)
            let error = try await Self.refusal("revenue[date=2026-01-05].net", world, directory)
            #expect(error?.code == .changed && error?.disposition == .stop)
            #expect(error?.description.hasPrefix("\(file) was changed since it was issued: put the folder") == true)
            #expect(try await Self.refusal("churn[date=2026-01-06].opening", world, directory) == nil)
        }
    }

    @Test func `where the manifest is another one, nothing of the issue is cited`() async throws {
        try await Self.withIssue { world, directory in
            let file = directory + "/2026-02-06/manifest.json"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            try (text + "\n").write(toFile: file, atomically: true, encoding: .utf8)
            let error = try await Self.refusal("churn[date=2026-01-06].opening", world, directory)
            #expect(error?.description.hasPrefix("\(file) is not the one that was issued") == true)
        }
    }

    @Test func `names that mean nothing are answered with the nearest that do`() async throws {
        try await Self.withIssue { world, directory in
            let words = [
                "revenu[date=2026-01-05].net": "2026-02-06 has no report revenu; did you mean revenue?",
                "revenue[date=2026-01-05].nett": "revenue.csv has no such column: nett; did you mean net?",
                "revenue[product_id=montly].net":
                    "no row of 2026-02-06/revenue.csv has product_id=montly; did you mean monthly?",
            ]
            for (figure, sentence) in words {
                let error = try await Self.refusal(figure, world, directory)
                #expect(error == CitationError(.name, sentence))
            }
        }
    }

    /// A day that has no row, or no issue, was not mistyped: another one is not what was meant.
    @Test func `a date that is not there gets no neighbour`() async throws {
        try await Self.withIssue { world, directory in
            let sentences = [
                "revenue[date=2026-01-06].net":
                    "no row of 2026-02-06/revenue.csv has date=2026-01-06; it has 2026-01-05 to 2026-01-05",
                "revenue[date=2026-01-32].net":
                    "no row of 2026-02-06/revenue.csv has date=2026-01-32, which is no day of the calendar; it has 2026-01-05 to "
                    + "2026-01-05",
                "metrics[month=2026-03].arr":
                    "no row of 2026-02-06/metrics.csv has month=2026-03; it has 2026-01 to 2026-02",
            ]
            for (figure, sentence) in sentences {
                #expect(try await Self.refusal(figure, world, directory) == CitationError(.name, sentence))
            }
            let other = try await Self.refusal("mrr", world, directory, issue: "2026-02-07")
            #expect(other?.disposition == .rename)
            #expect(
                other?.description
                    == "no issue is named 2026-02-07, or its checksum was never kept: the newest is 2026-02-06")
        }
    }

    @Test func `while the tables are being built it is to be tried again`() async throws {
        try await Self.withIssue { world, directory in
            try await world.connection.script("update marts.materialisation set parts_built = parts_built - 1")
            let error = try await Self.refusal("revenue[date=2026-01-05].net", world, directory)
            #expect(error?.code == .notReady && error?.disposition == .retry)
        }
    }

    @Test func `before the first issue there is nothing to cite`() async throws {
        try await ReportWorld.with { world in
            let error = try await Self.refusal("mrr", world, "/nowhere")
            #expect(error?.code == .name && error?.description.hasPrefix("nothing was issued yet") == true)
        }
    }
}
