// SPDX-License-Identifier: Apache-2.0

import Postgres
import Runs
import SQLCatalog

/// What is in schemas `subledger` and `report`, and which of it subledger made.
struct SchemaObjects: Sendable {
    struct Object: Sendable {
        /// For example `view report.revenue`.
        let identity: String
        /// Another one where it was replaced, redefined or granted to others.
        let fingerprint: String
        /// The transaction at hand made it.
        let isNew: Bool
    }

    let connection: PostgresConnection

    /// Everything in the schemas.
    func all() async throws(PostgresError) -> [Object] {
        var objects: [Object] = []
        for row in try await connection.query(SQL.Pipeline.listObjects) {
            objects.append(
                Object(
                    identity: try row.string("identity"), fingerprint: try row.string("fingerprint"),
                    isNew: try row.bool("is_new")))
        }
        return objects
    }

    /// Runs what changes the schemas, and notes what it made; what others were granted on what is made again, they have
    /// afterwards. Throws `PipelineError` `.schemaDiffers`, naming what it would have changed that is not subledger's.
    func guardingThoseOfOthers(_ change: () async throws -> Void) async throws {
        let before = try await ofOthers()
        let grants = try await grants()
        try await change()
        let after = Dictionary(
            try await all().map { ($0.identity, $0.fingerprint) }, uniquingKeysWith: { first, _ in first })
        let changed = before.filter { after[$0.identity] != $0.fingerprint }.map(\.identity)
        guard changed.isEmpty else { throw Self.standsInTheWay(changed) }
        try await recordNew(but: before.map(\.identity))
        for grant in try await lost(of: grants) { try await connection.execute(grant) }
    }

    /// Notes what the transaction at hand made.
    func recordNew(but others: [String]) async throws(PostgresError) {
        let made = try await all().filter(\.isNew).map(\.identity).filter { !others.contains($0) }
        try await connection.execute(SQL.Pipeline.recordObjects, [.textArray(made)])
    }

    /// Views of others that read what subledger made.
    func readersOfOurs() async throws(PostgresError) -> [String] {
        var names: [String] = []
        for row in try await connection.query(SQL.Pipeline.listReaders) { names.append(try row.string("name")) }
        return names
    }

    /// What others have put into the schemas under a name that a refusal of PostgreSQL's quotes.
    func obstacle(namedIn refusal: String) async throws(PostgresError) -> String? {
        let words = Set(refusal.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
        return try await ofOthers().map(\.identity).first { identity in
            let name = identity.prefix { $0 != "(" }.split { $0 == "." || $0 == " " }.last
            return name.map { words.contains($0) } ?? false
        }
    }

    static func standsInTheWay(_ identities: [String]) -> PipelineError {
        PipelineError(
            .schemaDiffers,
            "\(list(identities)) stands in the way of this version's schema and is not subledger's: rename it or move it to "
                + "another schema, then run subledger migrate: nothing was changed")
    }

    /// The first few of many.
    static func list(_ identities: [String]) -> String {
        let shown = identities.prefix(8).joined(separator: ", ")
        return identities.count > 8 ? "\(shown) and \(identities.count - 8) more" : shown
    }

    private func ofOthers() async throws(PostgresError) -> [Object] {
        var own: Set<String> = []
        for row in try await connection.query(SQL.Pipeline.listOwnObjects) { own.insert(try row.string("identity")) }
        return try await all().filter { !own.contains($0.identity) }
    }

    private struct Grant: Hashable {
        let target: String
        let statement: String
    }

    private func grants() async throws(PostgresError) -> [Grant] {
        var grants: [Grant] = []
        for row in try await connection.query(SQL.Pipeline.listGrants) {
            grants.append(Grant(target: try row.string("target"), statement: try row.string("statement")))
        }
        return grants
    }

    /// Of what was made again, what to say so that others have the rights they had.
    private func lost(of earlier: [Grant]) async throws(PostgresError) -> [Statement] {
        let still = Set(try await grants())
        let there = Set(try await all().map { Self.target(of: $0.identity) })
        return earlier.filter { !still.contains($0) && there.contains($0.target.prefix { $0 != "(" }) }
            .map { Statement(name: "rights on \($0.target)", text: $0.statement) }
    }

    /// How a grant names an object, without the parameters of a routine.
    private static func target(of identity: String) -> Substring {
        let words = identity.split(separator: " ", maxSplits: 1)
        let isRelation = ["table", "view"].contains(words.first)
        let name = (words.last ?? "").prefix { $0 != "(" }
        return "\(isRelation ? "table" : "routine") \(name)"[...]
    }
}
