// SPDX-License-Identifier: Apache-2.0

import Foundation
import Intake
import Logging
import Model
import Operations
import Runs
import Testing
import TestSupport

/// Sandbox purchases of an app that is sold in production.
@Suite(.hangLimit) struct SandboxTests {
    @Test
    func `A6: a signed sandbox transaction is asked about there, registered, checked, never revenue`() async throws {
        try await IntakeWorld.with { world in
            let row = Apple.transaction(["environment": "Sandbox"])
            try world.desk.report(row)
            try await world.handIn("acme-ios", "signed_transaction", try Apple.sign(row))
            try await world.intake()
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            #expect(world.desk.requests.allSatisfy { $0.path.hasPrefix("/sandbox/") })
            #expect(try await world.subscriptions() == ["2001|alice|gold.month|sandbox|active|2026-04-01 00:00:00"])
            #expect(try await world.transactions() == ["2001|gold.month|sandbox|purchase|9990000|EUR"])
            #expect(try await world.entries().isEmpty)
            #expect(try await world.revenue().isEmpty)
        }
    }

    @Test func `A6: an id that only the sandbox knows is a sandbox purchase`() async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction(["environment": "Sandbox"]))
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            try await world.intake()
            #expect(try await world.verdicts() == ["accepted|true|true|true|true"])
            #expect(try await world.subscriptions().map { $0.contains("|sandbox|") } == [true])
            #expect(try await world.entries().isEmpty)
        }
    }

    @Test func `A6: a production purchase beside them is in revenue`() async throws {
        try await IntakeWorld.with { world in
            try world.desk.report(Apple.transaction())
            let row = Apple.transaction([
                "environment": "Sandbox", "transactionId": "3001", "originalTransactionId": "3001",
            ])
            try world.desk.report(row, askedWith: "3001")
            try await world.handIn("acme-ios", "original_transaction_id", "2001")
            try await world.handIn("acme-ios", "original_transaction_id", "3001")
            try await world.intake()
            #expect(try await world.revenue() == ["acme-ios|EUR|1|9.990000"])
        }
    }

    @Test
    func `A6: a sandbox receipt's purchases are registered and checked, their compressed time followed`() async throws {
        try await IntakeWorld.with { world in
            world.desk.on("/verifyReceipt", 200, #"{"status":21007}"#)
            world.desk.on("/sandbox/verifyReceipt", 200, try Receipts.text("verify_receipt_sandbox_trial_then_renewal"))
            try await world.handIn("example", "receipt", "TUlJVlFZ")
            try await world.intake()
            #expect(
                try await world.subscriptions() == [
                    "1000000481802759|alice|jp.example.app.subscription|sandbox|expired|2018-12-04 08:13:50"
                ])
            #expect(
                try await world.transactions() == [
                    "1000000481802759|jp.example.app.subscription|sandbox|trial||",
                    "1000000481806674|jp.example.app.subscription|sandbox|purchase||",
                ])
            #expect(try await world.entries().isEmpty)
            #expect(try await world.revenue().isEmpty)
        }
    }
}

extension IntakeWorld {
    /// The revenue report of what is known now.
    func revenue() async throws -> [String] {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let job = ReportJob(sessions: DatabaseSessions(database, logger: logger), logger: logger)
        return try await withTemporaryDirectory { directory in
            _ = try await job.run(ReportJob.Options(now: Self.now, directory: directory, timeZone: .utc))
            return try await connection.lines("select app_id, currency, charges, gross from report.revenue")
        }
    }
}
