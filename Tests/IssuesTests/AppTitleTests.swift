// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import TestSupport
import Testing

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// An app's title is read by people: it stands before the id on the page and in the workbook, and in no column of a table.
@Suite struct AppTitleTests {
    private static let title = #"Acme </script> "{count}""#
    private static let named = #"Acme </script> "{count}" (acme-ios)"#

    private struct Issue {
        let page: String
        let summary: IssueSummary
        let tables: String
    }

    private static func issue(_ world: ReportWorld, seal: Int64) async throws -> Issue {
        var issue: Issue?
        try await withTemporaryDirectory { directory in
            let issued = try await ReportStage().issue(
                on: world.connection,
                request: ReportRequest(
                    seal: seal, runID: seal, businessDate: try #require(BusinessDate("2026-02-06")),
                    asOf: try #require(Instant(iso8601: "2026-02-07T02:00:00Z")), directory: directory))
            func text(_ file: String) throws -> String {
                try String(contentsOfFile: "\(issued.path)/\(file)", encoding: .utf8)
            }
            issue = Issue(
                page: try text("report.html"), summary: try IssueSummary(json: Data(try text("summary.json").utf8)),
                tables: try text("revenue.csv") + text("report.json"))
            if seal == 2 {
                let readme = try #require(try await ReadWorkbook.read(in: issued.path).sheet("README"))
                #expect(readme.rows.contains { $0.first??[1] == named })
            }
        }
        return try #require(issue)
    }

    /// The second seal of the same date recorded it; the first, issued again, does not know it.
    @Test func `the page and the workbook call it by title and id, as of their seal`() async throws {
        try await ReportWorld.with { world in
            try await world.connection.script(
                "insert into subledger.apps (app_id, store) values ('acme-ios', 'app_store') on conflict do nothing")
            for seal in [1, 2] as [Int64] {
                try await world.night(seal, for: "2026-02-06", issued: false)
                try await world.covered(seal, app: "acme-ios", due: 2, checked: 1, unread: 1)
            }
            try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
            try await world.connection.script(
                "insert into subledger.app_titles values ('acme-ios', 2, '\(Self.title)')")
            let (after, before) = (try await Self.issue(world, seal: 2), try await Self.issue(world, seal: 1))
            // In the table of apps, in what is said of them, and in the data of charts and filters.
            let escaped = "Acme &lt;/script&gt; &quot;{count}&quot; (acme-ios)"
            #expect(after.page.contains("<bdi>\(escaped)</bdi>"))
            #expect(after.page.contains("1 subscription of \(escaped) is unread"))
            #expect(after.page.contains(#""titles":{"acme-ios":"Acme \u003c\/script> \"{count}\""}"#))
            #expect(after.summary.apps.map(\.name) == [Self.named])
            #expect(!before.page.contains("Acme ") && before.summary.apps.map(\.name) == ["acme-ios"])
            #expect(!after.tables.contains("{count}") && after.tables.contains("acme-ios"))
        }
    }
}
