// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Operations

/// `docs/monitoring`: the dashboard and the rules ask for metrics that are written, and the page describes each of them.
@Suite struct MonitoringTests {
    private struct Dashboard: Decodable {
        struct Panel: Decodable {
            struct Target: Decodable {
                let expr: String
            }

            struct Place: Decodable {
                let x: Int
                let y: Int
                let w: Int
                let h: Int
            }

            let id: Int
            let title: String
            let description: String
            let gridPos: Place
            let targets: [Target]
        }

        let panels: [Panel]
    }

    private static func document(_ name: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "docs/" + name), encoding: .utf8)
    }

    private static func metrics(in text: String) -> Set<Substring> {
        Set(text.matches(of: /\bsubledger_[a-z_]+/).map { $0.0 })
    }

    private static func dashboard() throws -> Dashboard {
        try JSONDecoder().decode(Dashboard.self, from: Data(try document("monitoring/grafana-dashboard.json").utf8))
    }

    @Test func `the dashboard draws every metric, and the rules ask for no other`() throws {
        let written = Self.metrics(in: MetricsTextTests.text())
        #expect(written.count == 9)
        #expect(
            Self.metrics(in: try Self.dashboard().panels.flatMap(\.targets).map(\.expr).joined(separator: "\n"))
                == written)
        #expect(Self.metrics(in: try Self.document("monitoring/alerts.yml")).subtracting(written) == [])
    }

    @Test func `every metric is described`() throws {
        let page = try Self.document("monitoring.md")
        for metric in Self.metrics(in: MetricsTextTests.text()) { #expect(page.contains("| `\(metric)` |")) }
    }

    @Test func `panels are described, and none lies over another`() throws {
        var taken: Set<Int> = []
        for panel in try Self.dashboard().panels {
            #expect(!panel.description.isEmpty && panel.gridPos.x + panel.gridPos.w <= 24, "\(panel.title)")
            for y in panel.gridPos.y..<(panel.gridPos.y + panel.gridPos.h) {
                for x in panel.gridPos.x..<(panel.gridPos.x + panel.gridPos.w) {
                    #expect(taken.insert(y * 24 + x).inserted, "\(panel.title)")
                }
            }
        }
    }
}
