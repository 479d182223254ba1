// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model
import TestSupport
import Testing

@testable import Reports

/// `report.json`: the rows of the CSV files, with what each column means.
@Suite struct ReportJSONTests {
    private struct Document: Decodable {
        struct Report: Decodable {
            let name: String
            let definition: String
            let columns: [[String: String]]
            let rows: [[Value]]
        }

        let reports: [Report]
    }

    private enum Value: Decodable, Equatable {
        case null, text(String), count(Int64)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self =
                if container.decodeNil() { .null } else if let count = try? container.decode(Int64.self) {
                    .count(count)
                } else { .text(try container.decode(String.self)) }
        }

        var csv: String {
            switch self {
            case .null: ""
            case .text(let text): text
            case .count(let count): String(count)
            }
        }
    }

    @Test func `D5: the JSON holds the rows of every CSV file, exact decimals as text`() async throws {
        try await Self.compare()
    }

    private static func compare() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await world.night(1, for: "2026-02-06")
                try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", country: nil))
                try await world.charged(
                    Sale(key: 2, id: "t2", product: "a/b \"c\"", from: "2026-01-06 12:00Z", to: "2026-02-06 12:00Z"))
                let request = ReportRequest(
                    seal: 1, runID: 1, businessDate: try #require(BusinessDate("2026-02-06")),
                    asOf: try #require(Instant(iso8601: "2026-02-07T02:00:00Z")), directory: directory)
                let issued = try await ReportStage().issue(on: world.connection, request: request)
                let data = try Data(contentsOf: URL(fileURLWithPath: "\(issued.path)/report.json"))
                let document = try JSONDecoder().decode(Document.self, from: data)
                #expect(document.reports.map(\.name) == ReportCatalog.reports.map(\.name))
                for report in document.reports {
                    let csv = try String(contentsOfFile: "\(issued.path)/\(report.name).csv", encoding: .utf8)
                    let lines = csv.split(separator: "\n").map(String.init)
                    #expect(lines.first == report.columns.compactMap { $0["name"] }.joined(separator: ","))
                    #expect(report.columns.allSatisfy { $0["definition"] != "" } && !report.definition.isEmpty)
                    let rows = report.rows.map { row in
                        zip(row, report.columns).map {
                            $0 == .null ? "" : CSVText.field($0.csv, isText: $1["type"] == "text")
                        }
                        .joined(separator: ",")
                    }
                    #expect(lines.dropFirst() == rows[...], "\(report.name)")
                }
                let revenue = try #require(document.reports.first { $0.name == "revenue" })
                #expect(
                    revenue.columns.prefix(9).compactMap { $0["type"] } == [
                        "date", "text", "text", "text", "text", "text", "count", "count", "decimal",
                    ])
                #expect(
                    revenue.rows.first?.prefix(10) == [
                        .text("2026-01-05"), .text("acme-ios"), .text("app_store"), .text("monthly"), .null,
                        .text("USD"),
                        .count(1), .count(0), .text("9.990000"), .text("0.000000"),
                    ])
                #expect(revenue.rows.last?[3] == .text("a/b \"c\""))
            }
        }
    }
}
