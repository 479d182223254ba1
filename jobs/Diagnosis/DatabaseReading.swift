// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import Model
import Operations
import Postgres
import Runs

/// Reads what the server and the schema say: what a migrator would meet, and what the time zone of the reports is there.
struct DatabaseReading {
    struct Result {
        var facts: ServerFacts
        var schema: SchemaInspection
        var clock: ClockFacts.Other
        var bytes: Int64
    }

    let context: JobContext
    let connection: PostgresConnection

    func read() async throws -> Result {
        let schema = try await Migrator(connection: connection, logger: context.logger).inspect()
        let reading = ServerReading(
            connection: connection,
            schema: ServerReading.Schema(
                owner: schema.owner, outstanding: schema.outstanding, obstacle: schema.obstacle),
            buffer: context.configuration.access.buffer, businessDate: context.businessDate)
        var (facts, clock, bytes) = try await reading.read()
        facts.settings.isTrial = context.configuration.isClockSimulated
        facts.zoneProblem = try await zoneProblem()
        return Result(
            facts: facts, schema: schema,
            clock: ClockFacts.Other(name: "the database", ahead: Instant.currentSecond - clock), bytes: bytes)
    }

    private func zoneProblem() async throws -> String? {
        do {
            try await ReportZoneCheck(connection: connection, logger: context.logger)
                .check(context.configuration.reports.timeZone)
            return nil
        } catch let refusal as PipelineError {
            return refusal.message
        }
    }
}
