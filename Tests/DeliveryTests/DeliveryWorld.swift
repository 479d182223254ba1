// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import HTTP
import Logging
import Model
import Postgres
import Runs
import TestSupport
import Testing

@testable import Delivery
@testable import Reports

/// Issues written by hand, in a real database and a real folder, and what is sent of them.
struct DeliveryWorld {
    let connection: PostgresConnection
    let server: PostgresConfiguration
    let directory: String
    let log = RecordedLog()

    static func with(_ body: (DeliveryWorld) async throws -> Void) async throws {
        try await withLedgerDatabase { connection, server in
            try await withTemporaryDirectory { directory in
                try await body(DeliveryWorld(connection: connection, server: server, directory: directory))
            }
        }
    }

    /// A night's issue, as `ReportStage` leaves one.
    @discardableResult
    func issue(
        _ summary: IssueSummary = Summaries.summary(), seal: Int64 = 7, counts: String = "{}"
    ) async throws -> String {
        let folder = "\(directory)/2026-03-31" + (seal == 7 ? "" : ".\(seal)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let files = [
            IssueSummary.fileName: try summary.json(), "report.html": Array("<p>page</p>".utf8),
            "report.xlsx": (0..<5_000).map { UInt8(truncatingIfNeeded: $0) },
        ]
        for (name, bytes) in files { try write(bytes, to: "\(folder)/\(name)") }
        let manifest = Manifest(
            request: ReportRequest(
                seal: seal, runID: seal, businessDate: try #require(BusinessDate("2026-03-31")),
                asOf: try #require(Instant(iso8601: Summaries.night)), directory: directory),
            last: nil, checks: [], coverage: [],
            files: try files.reduce(into: [:]) { described, file in
                described[file.key] = Manifest.File(try WrittenFile.describe("\(folder)/\(file.key)"), rows: nil)
            })
        try write(try manifest.json(), to: "\(folder)/\(Manifest.fileName)")
        let sha256 = try WrittenFile.describe("\(folder)/\(Manifest.fileName)").sha256
        try await connection.script(
            """
            insert into subledger.runs (
                run_id, job, business_date, logical_now, finished_at, sealed_at, seal, outcome, host, process_id, counts)
            overriding system value
            values (\(seal), 'nightly', '2026-03-31', '\(Summaries.night)', now(), now(), \(seal), 'done', 'here', 1,
                '\(counts)');
            update subledger.settings set last_seal = \(seal);
            insert into subledger.report_issues (run_id, seal, business_date, path, manifest_sha256, last_seal)
            values (\(seal), \(seal), '2026-03-31', '\(folder)', '\(sha256)', \(seal));
            """)
        return folder
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    static func mail(_ local: LocalMailServer) throws -> DeliverySettings.Mail {
        DeliverySettings.Mail(
            server: try MailServerConfiguration(url: "smtp://127.0.0.1:\(local.port)"),
            from: try #require(MailAddress("reports@acme.com")))
    }

    static func email(
        _ address: String, attach: [Recipient.File] = [], onlyAlerts: Bool = false
    ) throws -> Recipient {
        let mailbox = try #require(MailAddress(address))
        return Recipient(name: address, channel: .email(mailbox, attach: attach), onlyAlerts: onlyAlerts)
    }

    static func chat(_ url: String, name: String = "chat", onlyAlerts: Bool = false) -> Recipient {
        Recipient(name: name, channel: .webhook(Secret(url)), onlyAlerts: onlyAlerts)
    }

    /// One `--send`, an hour after the night unless said otherwise; waits are of milliseconds.
    func send(
        _ recipients: [Recipient], mail: DeliverySettings.Mail? = nil, after hours: Int64 = 1, again: Bool = false,
        retryFor: Span = .seconds(60), through proxied: PostgresConfiguration? = nil
    ) async throws -> ReportDelivery.Outcome {
        let settings = DeliverySettings(
            mail: mail, link: "https://bi.acme.com/reports", recipients: recipients, retryFor: retryFor)
        let sessions = DatabaseSessions(proxied ?? server, logger: log.logger)
        let delivery = ReportDelivery(
            sessions: sessions, settings: settings, directory: directory,
            now: try #require(Instant(iso8601: Summaries.night)) + .hours(hours), again: again, logger: log.logger,
            backoff: Backoff(base: .milliseconds(2), cap: .milliseconds(10), attempts: 5))
        do {
            let outcome = try await delivery.run()
            await sessions.close()
            return outcome
        } catch {
            await sessions.close()
            throw error
        }
    }

    /// `recipient|message|state|attempts|deliveries|last error`.
    func ledger() async throws -> [String] {
        try await connection.lines(
            "select recipient, message, state, attempts, deliveries, last_error from subledger.report_deliveries "
                + "order by recipient, message, seal")
    }
}
