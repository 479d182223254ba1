// SPDX-License-Identifier: Apache-2.0

package import Model
package import Postgres
internal import Runs
internal import SQLCatalog

/// Reads what a server says of itself, of the role and of the last night; nothing is changed.
package struct ServerReading: Sendable {
    /// What was found of the schema before.
    package struct Schema: Sendable {
        package var owner: String?
        package var outstanding: Int
        package var obstacle: String?

        package init(owner: String?, outstanding: Int, obstacle: String?) {
            (self.owner, self.outstanding, self.obstacle) = (owner, outstanding, obstacle)
        }

        /// What this version's statements name is there, and may be read.
        package var isCurrent: Bool { owner != nil && outstanding == 0 && obstacle == nil }
    }

    private let connection: PostgresConnection
    private let schema: Schema
    /// `grace_buffer`.
    private let buffer: Span
    private let businessDate: BusinessDate

    package init(
        connection: PostgresConnection, schema: Schema, buffer: Span, businessDate: BusinessDate
    ) {
        (self.connection, self.schema, self.buffer, self.businessDate) = (connection, schema, buffer, businessDate)
    }

    /// The facts, the server's clock, and how many bytes the database has.
    package func read() async throws(PostgresError) -> (facts: ServerFacts, clock: Instant, bytes: Int64) {
        guard let row = try await connection.query(SQL.Status.readServer).first else {
            throw PostgresError(.decoding, "the server says nothing of itself")
        }
        var facts = ServerFacts(
            version: try row.string("version"), encoding: try row.string("encoding"),
            database: try row.string("database"), role: try row.string("role"), isStandby: try row.bool("is_standby"),
            rights: try rights(row), settings: try await settings(row))
        facts.connections = try await connections()
        if schema.isCurrent {
            facts.reference = try await reference()
            facts.night = try await night()
        }
        return (facts, try row.instant("clock"), try row.int64("bytes"))
    }

    private func rights(_ row: PostgresRow) throws(PostgresError) -> RightFacts {
        RightFacts(
            mayCreate: try row.bool("may_create"), hasTemp: try row.bool("has_temp"),
            hasSchemas: try row.bool("has_schemas"), owner: schema.owner, outstanding: schema.outstanding,
            obstacle: schema.obstacle)
    }

    private func settings(_ row: PostgresRow) async throws(PostgresError) -> SettingFacts {
        var names: [String] = []
        for setting in try await connection.query(SQL.Status.listRoleSettings) {
            names.append(try setting.string("name"))
        }
        return SettingFacts(
            isSynchronized: try row.string("fsync") == "on",
            writesFullPages: try row.string("full_page_writes") == "on",
            synchronousCommit: try row.string("synchronous_commit"),
            replicationRole: try row.string("session_replication_role"), ofRoleAndDatabase: names)
    }

    private func connections() async throws(PostgresError) -> ConnectionFacts? {
        guard let row = try await connection.query(SQL.Status.readConnections).first else { return nil }
        return ConnectionFacts(
            needed: ConnectionNeed.night(workers: ConnectionNeed.usualWorkers), free: try row.int64("free"),
            limit: try row.int64("most"), limitedBy: try row.string("kind"))
    }

    private func reference() async throws(PostgresError) -> ReferenceFacts? {
        guard let row = try await connection.query(SQL.Status.readRulesDay).first,
            let day = BusinessDate(try row.string("compared_on"))
        else { return nil }
        var rates: [ReferenceFacts.Rate] = []
        for rate in try await connection.query(SQL.Status.listStaleRates) {
            rates.append(
                ReferenceFacts.Rate(currency: try rate.string("currency"), newest: try rate.string("newest")))
        }
        return ReferenceFacts(feesComparedOn: day, businessDate: businessDate, staleRates: rates)
    }

    private func night() async throws(PostgresError) -> NightFacts? {
        guard let row = try await connection.query(SQL.Status.readLastNight).first else { return nil }
        return NightFacts(
            businessDate: try row.string("business_date"), length: .seconds(try row.int64("seconds")),
            age: .seconds(try row.int64("seconds_ago")), buffer: buffer)
    }
}
