// SPDX-License-Identifier: Apache-2.0

import Logging
import Postgres
import SQLCatalog

/// What others were granted on views, tables and routines, by hand included: where one is made again, they have it afterwards.
struct SchemaGrants: Sendable {
    private struct Grant: Sendable {
        let identity: String
        let objectID: Int64
        /// The column; empty: the whole.
        let part: String
        let statement: String
    }

    private struct Column: Hashable {
        let objectID: Int64
        let name: String
    }

    private let grants: [Grant]

    /// As they are: once the locks are taken, no other session changes them before the change.
    init(on connection: PostgresConnection) async throws(PostgresError) {
        var grants: [Grant] = []
        for row in try await connection.query(SQL.Pipeline.listGrants) {
            grants.append(
                Grant(
                    identity: try row.string("identity"), objectID: try row.int64("object_id"),
                    part: try row.string("part"), statement: try row.string("statement")))
        }
        self.grants = grants
    }

    /// Grants them again on what was made again under the same name, parameters and column included.
    func restore(on connection: PostgresConnection, logger: Logger) async throws(PostgresError) {
        let objects = try await SchemaObjects(connection: connection).all()
        let ids = Dictionary(objects.map { ($0.identity, $0.id) }, uniquingKeysWith: { first, _ in first })
        let columns = try await Self.columns(on: connection)
        for grant in grants {
            guard let id = ids[grant.identity],
                grant.part.isEmpty || columns.contains(Column(objectID: id, name: grant.part))
            else {
                logger.warning("\(grant.statement): there is no such view, column or function any more")
                continue
            }
            guard id != grant.objectID else { continue }
            try await connection.execute(Statement(name: "rights on \(grant.identity)", text: grant.statement))
        }
    }

    private static func columns(on connection: PostgresConnection) async throws(PostgresError) -> Set<Column> {
        var columns: Set<Column> = []
        for row in try await connection.query(SQL.Pipeline.listColumns) {
            columns.insert(Column(objectID: try row.int64("object_id"), name: try row.string("name")))
        }
        return columns
    }
}
