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

/// The files of an issue: whole or not there, never rewritten, the same bytes for the same seal.
@Suite struct IssueTests {
    private let sale = Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z")

    /// The tables of an issue, as the contract names them.
    private let tables = [
        "at_risk.csv", "changes.csv", "churn.csv", "cohorts.csv", "company.csv", "countries.csv", "exclusions.csv",
        "ltv.csv",
        "metrics.csv", "mrr_bridge.csv", "recognised.csv", "refund_matrix.csv", "refund_rates.csv", "refunds.csv",
        "renewals.csv", "revenue.csv", "subscribers.csv", "tenure.csv", "trials.csv",
    ]

    private func request(_ directory: String, seal: Int64 = 1, first: String? = nil) throws -> ReportRequest {
        ReportRequest(
            seal: seal, runID: seal, businessDate: try #require(BusinessDate("2026-02-06")),
            asOf: try #require(Instant(iso8601: "2026-02-07T02:00:00Z")), directory: directory,
            firstDate: first.flatMap { BusinessDate($0) })
    }

    private func history(_ world: ReportWorld) async throws {
        try await world.night(1, for: "2026-02-06")
        try await world.covered(1, app: "acme-ios", due: 3, checked: 2)
        try await world.charged(sale)
        try await world.became("expired", at: "2026-02-05 12:00Z", reason: "voluntary", expires: sale.to)
    }

    private func names(_ directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func `an issue contains its tables, its page and a manifest`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await history(world)
                let issued = try await ReportStage().issue(on: world.connection, request: try request(directory))
                #expect(issued.path == "\(directory)/2026-02-06" && issued.isNew && issued.isReconciled)
                #expect(try names(directory) == ["2026-02-06", "latest"])
                #expect(
                    try names(issued.path)
                        == (["manifest.json", "report.html", "report.json", "report.xlsx", "summary.json"] + tables)
                        .sorted())
                #expect(
                    try text("\(issued.path)/revenue.csv") == """
                        date,app_id,store,product_id,country,currency,charges,refunds,gross,refunded,net,tax,proceeds,\
                        estimated_share,gross_reporting,refunded_reporting,net_reporting,proceeds_reporting,\
                        reporting_currency,unconverted,product_type,reporting_rates,listed_share,missing_share,\
                        unsettled_share
                        2026-01-05,acme-ios,app_store,monthly,US,USD,1,0,9.990000,0.000000,9.990000,,,\
                        0.000000,9.990000,0.000000,9.990000,,USD,0,auto_renewable,,0.000000,1.000000,0.000000

                        """)
                let churn = try text("\(issued.path)/churn.csv").split(separator: "\n")
                #expect(
                    churn.first == """
                        date,app_id,store,product_id,opening,churned,voluntary,involuntary,price,product,refund,other,\
                        churn_rate,lapsed,came_and_went
                        """)
                #expect(churn.last == "2026-02-05,acme-ios,app_store,monthly,1,1,1,0,0,0,0,0,1.000000,0,0")
                // 6 January to 5 February, and the header.
                #expect(churn.count == 32)
            }
        }
    }

    @Test func `the manifest's checksums are the files'`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await history(world)
                let issued = try await ReportStage().issue(on: world.connection, request: try request(directory))
                let data = try #require(FileManager.default.contents(atPath: "\(issued.path)/manifest.json"))
                let manifest = try Manifest(json: data)
                #expect(manifest.stamp.seal == 1 && manifest.stamp.asOf == "2026-02-07T02:00:00Z")
                #expect(manifest.coverage.map(\.unread) == [1])
                #expect(manifest.checks.count == 20 && manifest.reconciled)
                let lines = manifest.files.map { "\($1.sha256)  \($0)\n" }.joined()
                try lines.write(toFile: "\(directory)/sums", atomically: true, encoding: .utf8)
                let tool = Process()
                tool.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
                tool.arguments = ["--check", "--strict", "--quiet", "\(directory)/sums"]
                tool.currentDirectoryURL = URL(fileURLWithPath: issued.path)
                try tool.run()
                tool.waitUntilExit()
                #expect(tool.terminationStatus == 0)
                #expect(
                    manifest.files.keys.sorted()
                        == (["report.html", "report.json", "report.xlsx", "summary.json"] + tables).sorted())
            }
        }
    }

    /// The reports issued so far: `run seal date folder last seal`.
    private func issues(_ world: ReportWorld) async throws -> [String] {
        try await world.connection.lines(
            "select run_id, seal, business_date, path, last_seal from subledger.report_issues order by seal")
    }

    @Test func `an issue is remembered once it is in its place`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await world.night(1, for: "2026-02-06", issued: false)
                try await world.night(2, for: "2026-02-07", issued: false)
                let earlier = ReportRequest(
                    seal: 2, runID: 2, businessDate: try #require(BusinessDate("2026-02-07")),
                    asOf: try #require(Instant(iso8601: "2026-02-08T02:00:00Z")), directory: "\(directory)/earlier",
                    upkeep: .leftAlone)
                _ = try await ReportStage().issue(on: world.connection, request: earlier)
                #expect(try await issues(world) == [], "what was known at an instant is no issue")
                try Data().write(to: URL(fileURLWithPath: "\(directory)/no folder"))
                await #expect(throws: ReportError.self) {
                    try await ReportStage().issue(
                        on: world.connection, request: try request("\(directory)/no folder"))
                }
                #expect(try await issues(world) == [], "what never stood in its place is no issue")
                for _ in 1...2 {
                    _ = try await ReportStage().issue(on: world.connection, request: try request(directory))
                    #expect(try await issues(world) == ["1|1|2026-02-06|\(directory)/2026-02-06|2"])
                }
            }
        }
    }

    @Test func `the same night twice is one issue`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await history(world)
                let first = try await ReportStage().issue(on: world.connection, request: try request(directory))
                let second = try await ReportStage().issue(on: world.connection, request: try request(directory))
                #expect(second.path == first.path && first.isNew && !second.isNew)
                #expect(try names(directory) == ["2026-02-06", "latest"])
            }
        }
    }

    @Test func `another issue of the same date never rewrites the first`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await history(world)
                let first = try await ReportStage().issue(on: world.connection, request: try request(directory))
                let bytes = try text("\(first.path)/manifest.json")
                try await world.night(2, for: "2026-02-06")
                let second = try await ReportStage().issue(
                    on: world.connection, request: try request(directory, seal: 2))
                let third = try await ReportStage().issue(
                    on: world.connection, request: try request(directory, seal: 2, first: "2026-02-01"))
                #expect(second.path == "\(directory)/2026-02-06.2" && third.path == "\(directory)/2026-02-06.3")
                #expect(try text("\(first.path)/manifest.json") == bytes)
                #expect(try text("\(first.path)/revenue.csv") == text("\(second.path)/revenue.csv"))
                #expect(try text("\(third.path)/revenue.csv").split(separator: "\n").count == 1)
                let latest = try FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/latest")
                #expect(latest == "2026-02-06.3")
            }
        }
    }

    @Test func `latest stays on the newest date`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await history(world)
                try FileManager.default.createDirectory(
                    atPath: "\(directory)/2026-02-09", withIntermediateDirectories: true)
                try FileManager.default.createSymbolicLink(
                    atPath: "\(directory)/latest", withDestinationPath: "2026-02-09")
                _ = try await ReportStage().issue(on: world.connection, request: try request(directory))
                let latest = try FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/latest")
                #expect(latest == "2026-02-09")
            }
        }
    }

    @Test func `a killed issue leaves nothing that looks like one`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await history(world)
                try await begin(request(directory))
                #expect(try names(directory).allSatisfy { $0.hasPrefix(".2026-02-06.tmp-") })
                #expect(try names(directory).count == 1)
                let issued = try await ReportStage().issue(on: world.connection, request: try request(directory))
                #expect(issued.path == "\(directory)/2026-02-06")
                #expect(try names(directory) == ["2026-02-06", "latest"])
            }
        }
    }

    /// As a process leaves it that is killed between two files.
    private func begin(_ request: ReportRequest) async throws {
        let killed = ReportFolder(request)
        try await killed.create()
        try await killed.start("revenue.csv")
        try await killed.finish("revenue.csv")
    }

    /// Containers have process numbers of their own: one that has the same number, and one whose number no process has here, write on.
    @Test func `what another process is writing stays, whatever its number`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await history(world)
                let others = try (0..<2).map { _ in ReportFolder(try request(directory)) }
                for other in others {
                    try await other.create()
                    try await other.start("revenue.csv")
                }
                let issued = try await ReportStage().issue(on: world.connection, request: try request(directory))
                #expect(try names(directory).count == 4)
                for other in others {
                    try await other.finish("revenue.csv")
                    await other.discard()
                }
                #expect(try names(directory) == [issued.path.split(separator: "/").last.map(String.init), "latest"])
            }
        }
    }

    @Test func `a failure leaves nothing behind`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await history(world)
                try await world.connection.script("drop view report.churn")
                await #expect(throws: ReportError.self) {
                    try await ReportStage().issue(on: world.connection, request: try request(directory))
                }
                #expect(try names(directory).isEmpty)
            }
        }
    }

    @Test func `books that do not close are said at the top`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await history(world)
                try await world.sold(Sale(key: 9, id: "lost<b>", from: "2026-01-06 12:00Z", to: "2026-02-06 12:00Z"))
                let issued = try await ReportStage().issue(on: world.connection, request: try request(directory))
                #expect(!issued.isReconciled)
                let page = try text("\(issued.path)/report.html")
                #expect(page.contains("Not reconciled: every charge has one entry"))
                #expect(page.contains("lost&lt;b&gt;") && !page.contains("lost<b>"))
                #expect(!page.contains("Agrees and complete"))
            }
        }
    }

    @Test func `a stopped store and a late one are said at the top`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await world.night(1, for: "2026-02-05")
                try await world.covered(1, app: "acme-ios", due: 3, checked: 3)
                try await world.covered(1, app: "acme-receipts", due: 1, checked: 1)
                try await world.night(2, for: "2026-02-06")
                try await world.covered(2, app: "acme-ios", due: 4, checked: 0, stopped: "the key was refused")
                let issued = try await ReportStage().issue(
                    on: world.connection, request: try request(directory, seal: 2))
                let page = try text("\(issued.path)/report.html")
                #expect(
                    page.contains(
                        "acme-ios was stopped on the last night; its figures stand as of 2026-02-06T02:00:00Z: "
                            + "the key was refused"))
                #expect(page.contains("acme-receipts is late: no night since the one for 2026-02-05"))
            }
        }
    }

    /// Six could not be read on the night of the 5th; that of the 6th had nothing due and read nothing.
    ///
    /// A report says what is unread as of its seal, and an earlier one says what it said.
    @Test func `what no run could read is said, whichever run failed to`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await world.night(1, for: "2026-02-05")
                try await world.covered(1, app: "acme-ios", due: 10, checked: 4, unread: 6)
                try await world.covered(1, app: "acme-receipts", due: 5, checked: 0, unread: 5, stopped: "refused")
                try await world.night(2, for: "2026-02-06")
                try await world.covered(2, app: "acme-ios", due: 0, checked: 0, unread: 6)
                try await world.night(3, for: "2026-02-07")
                try await world.covered(3, app: "acme-ios", due: 6, checked: 6, unread: 0)
                for (seal, ios) in [(Int64(1), "10 4 6"), (2, "0 0 6"), (3, "6 6 0")] {
                    let issued = try await ReportStage().issue(
                        on: world.connection, request: try request(directory, seal: seal))
                    let data = try #require(FileManager.default.contents(atPath: "\(issued.path)/manifest.json"))
                    let coverage = try Manifest(json: data).coverage.map {
                        "\($0.appID) \($0.due) \($0.checked) \($0.unread) \($0.stopped)"
                    }
                    #expect(coverage == ["acme-ios \(ios) false", "acme-receipts 5 0 5 true"])
                    let page = try text("\(issued.path)/report.html")
                    #expect(page.contains("6 subscriptions of acme-ios are unread") == (seal < 3))
                    #expect(page.contains("5 subscriptions of acme-receipts are unread"))
                }
            }
        }
    }

    @Test func `the page needs nothing from outside`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await history(world)
                let issued = try await ReportStage().issue(on: world.connection, request: try request(directory))
                let page = try text("\(issued.path)/report.html")
                #expect(page.contains("The books agree; the data is not complete") && page.contains("9.99"))
                for outside in ["<script src", "http:", "https:", "src=", "url(", "{{"] {
                    #expect(!page.contains(outside), "the page holds \(outside)")
                }
            }
        }
    }
}
