// SPDX-License-Identifier: Apache-2.0

import Postgres
import Runs
import SQLCatalog

/// What is in schemas `subledger`, `marts` and `report`, and which of it subledger made.
struct SchemaObjects: Sendable {
    struct Object: Sendable {
        /// For example `view report.revenue`.
        let identity: String
        /// With its schema; of a routine without its parameters.
        let name: String
        /// The server's number of it: another one once it was made again.
        let id: Int64
        /// The transaction at hand made it.
        let isNew: Bool

        /// A function, procedure or aggregate: these have names of their own.
        var isRoutine: Bool { ["function", "procedure", "aggregate"].contains(identity.prefix { $0 != " " }) }
    }

    let connection: PostgresConnection

    /// Everything in the schemas.
    func all() async throws(PostgresError) -> [Object] {
        var objects: [Object] = []
        for row in try await connection.query(SQL.Pipeline.listObjects) {
            objects.append(
                Object(
                    identity: try row.string("identity"), name: try row.string("name"), id: try row.int64("object_id"),
                    isNew: try row.bool("is_new")))
        }
        return objects
    }

    /// What others have put there.
    func ofOthers() async throws(PostgresError) -> [Object] {
        let own = Set(try await identities(SQL.Pipeline.listOwnObjects))
        return try await all().filter { !own.contains($0.identity) }
    }

    /// Notes what the transaction at hand made, and forgets what it took away.
    func record() async throws(PostgresError) {
        let all = try await all()
        try await connection.execute(
            SQL.Pipeline.recordObjects, [.textArray(all.filter(\.isNew).map(\.identity))])
        try await connection.execute(SQL.Pipeline.forgetObjects, [.textArray(all.map(\.identity))])
    }

    /// The first column of a statement's rows.
    func identities(_ statement: Statement, _ parameters: [PostgresValue] = []) async throws(PostgresError) -> [String]
    {
        var identities: [String] = []
        for row in try await connection.query(statement, parameters) { identities.append(try row.string("identity")) }
        return identities
    }

    /// The first few of many.
    static func list(_ identities: [String]) -> String {
        let listed = identities.prefix(8).joined(separator: ", ")
        return identities.count > 8 ? "\(listed) and \(identities.count - 8) more" : listed
    }
}
