// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import ReportSupport

/// `docs/bi/grafana-dashboard.json`, as Grafana would ask it: macros and variables written out, of the history of the BI questions.
@Suite struct GrafanaDashboardTests {
    private struct Dashboard: Decodable {
        struct Panel: Decodable {
            struct Target: Decodable {
                let format: String
                let rawSql: String
            }

            struct Place: Decodable {
                let x: Int
                let y: Int
                let w: Int
                let h: Int
            }

            let id: Int
            let title: String
            let type: String
            let description: String
            let gridPos: Place
            let targets: [Target]
        }

        struct Templating: Decodable {
            struct Variable: Decodable {
                let name: String
                let query: String
            }

            let list: [Variable]
        }

        let panels: [Panel]
        let templating: Templating
    }

    private static func dashboard() throws -> Dashboard {
        try JSONDecoder().decode(
            Dashboard.self,
            from: Data(contentsOf: BIQuestionTests.folder.appending(path: "grafana-dashboard.json")))
    }

    /// As Grafana's PostgreSQL source does it, for the first quarter of 2026.
    private static func written(_ sql: String) -> String {
        sql.replacing(/\$__timeFilter\(([^)]*)\)/) { match in
            "\(match.1) BETWEEN '2026-01-01T00:00:00Z' AND '2026-04-01T00:00:00Z'"
        }.replacing("$app", with: "'acme-ios','acme-android'")
    }

    /// Of each panel how many rows it has, and some of them.
    private static let answers: [String: (rows: Int, lines: [String])] = [
        "MRR": (1, ["32.000000"]), "Active subscribers": (1, ["2"]),
        // 20.00 − 4.99; what was charged on 1 March is older than 30 days.
        "Net revenue, 30 days": (1, ["15.010000"]),
        "Renewing within 7 days": (1, ["32.000000"]), "Last day reported": (1, ["2026-03-31|USD"]),
        "MRR by day": (79, ["2026-01-12T00:00:00|acme-ios|9.990000", "2026-03-31T00:00:00|acme-ios|32.000000"]),
        "What moved MRR": (
            7,
            [
                "2026-01-12T00:00:00|new|9.990000", "2026-01-26T00:00:00|new|10.000000",
                "2026-02-23T00:00:00|expansion|2.000000", "2026-02-23T00:00:00|new|9.990000",
                "2026-03-02T00:00:00|new|20.000000", "2026-03-09T00:00:00|churn: voluntary|-9.990000",
                "2026-03-23T00:00:00|awaited or paused|-9.990000",
            ]
        ),
        "Subscribers by day": (86, ["2026-01-05T00:00:00|0|1|0|0", "2026-03-31T00:00:00|2|0|0|1"]),
        "Revenue by day": (
            7, ["2026-03-05T00:00:00|20.000000|0.000000|", "2026-03-20T00:00:00|0.000000|-4.990000|"]
        ),
        // From the week in which the first one began to pay.
        "Churn by reason": (12, ["2026-03-09T00:00:00|1|0|0|0|0"]),
        "Trials by the week they started": (1, ["2026-01-05T00:00:00|1|0|0"]),
        "At risk today": (1, ["acme-ios|monthly|billing_retry|0-7|1|9.990000|USD"]),
        "MRR by country": (2, ["United States|1|20.000000|USD", "Germany|1|12.000000|USD"]),
    ]

    @Test func `every panel of the dashboard has its answer`() async throws {
        let dashboard = try Self.dashboard()
        #expect(Set(dashboard.panels.map(\.title)) == Set(Self.answers.keys))
        try await ReportWorld.with { world in
            try await BIQuestionTests.write(world)
            for panel in dashboard.panels {
                let answer = try #require(Self.answers[panel.title])
                for target in panel.targets {
                    let found = try await world.connection.lines(Self.written(target.rawSql))
                    #expect(found.count == answer.rows, "\(panel.title): \(found)")
                    #expect(found.filter(answer.lines.contains) == answer.lines, "\(panel.title): \(found)")
                }
            }
            let apps = try #require(dashboard.templating.list.first { $0.name == "app" })
            #expect(try await world.connection.lines(apps.query) == ["acme-ios"])
        }
    }

    @Test func `panels are described, and none lies over another`() throws {
        let panels = try Self.dashboard().panels
        #expect(Set(panels.map(\.id)).count == panels.count)
        var taken: [Int: String] = [:]
        for panel in panels {
            #expect(!panel.description.isEmpty && panel.targets.count == 1, "\(panel.title)")
            #expect(panel.targets.allSatisfy { ($0.format == "time_series") == (panel.type == "timeseries") })
            #expect(panel.gridPos.x + panel.gridPos.w <= 24, "\(panel.title)")
            for y in panel.gridPos.y..<(panel.gridPos.y + panel.gridPos.h) {
                for x in panel.gridPos.x..<(panel.gridPos.x + panel.gridPos.w) {
                    #expect(taken[y * 24 + x] == nil, "\(panel.title) lies over \(taken[y * 24 + x] ?? "")")
                    taken[y * 24 + x] = panel.title
                }
            }
        }
    }
}
