// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import TestSupport

/// What a life left: every table and every file, but what is another one each time.
struct ServerPicture {
    /// What the database's clock, the machine, a signature's chance or an order of arrival decides, by table.
    private static let chance: [String: Set<String>] = [
        "subledger.runs": [
            "started_at", "finished_at", "sealed_at", "host", "process_id", "leased_until", "finish_by",
            "request_number",
        ],
        "subledger.run_apps": ["closed_at"], "subledger.run_hosts": ["host_name", "machine", "process_id", "seen_at"],
        "subledger.run_chunks": ["leased_by", "leased_until", "loads"],
        "subledger.quota_slices": ["free_from", "interval_until", "regular_until", "preferred_from"],
        "subledger.report_issues": ["issued_at", "path", "manifest_sha256"],
        "subledger.schema_files": ["applied_at"],
        "subledger.subscriptions": ["registered_at"],
        "subledger.store_answers": ["body"], "subledger.signing_chains": ["chain_id", "header"],
        "subledger.receipts": ["recorded_at"], "subledger.purchase_inbox": ["signature"],
        "subledger.notification_inbox": ["payload", "notification_id"],
    ]

    /// The lines of a table or a file by its name, in an order of their own.
    let parts: [String: [String]]

    init(of world: NightWorld, answers: [String: String]) async throws {
        var parts: [String: [String]] = [:]
        for table in try await world.connection.ownTables() { parts[table] = try await Self.rows(of: table, world) }
        for file in try Self.files(below: world.reports) + Self.files(below: world.directory + "/as-of") {
            let name = String(file.dropFirst(world.directory.count + 1))
            parts[name] = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
        }
        for (name, text) in answers {
            parts[name] = text.replacing(world.directory, with: "").split(separator: "\n").map(String.init)
        }
        self.parts = parts
    }

    private static func rows(of table: String, _ world: NightWorld) async throws -> [String] {
        let without = chance[table, default: []].sorted().map { " - '\($0)'" }.joined()
        return try await world.connection.lines(
            "select (to_jsonb(t)\(without))::text as row from \(table) t"
        ).sorted()
    }

    /// The CSV and JSON files; what is drawn and packed follows from them.
    private static func files(below folder: String) throws -> [String] {
        let found = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return found.filter { $0.hasSuffix(".csv") || $0.hasSuffix("report.json") }.map { "\(folder)/\($0)" }
    }

    /// Where another life's picture differs, with the first lines that do.
    func differences(from other: ServerPicture) -> [String] {
        Set(parts.keys).union(other.parts.keys).sorted().compactMap { name in
            let (one, two) = (parts[name], other.parts[name])
            guard one != two else { return nil }
            let only = (
                Set(one ?? []).subtracting(two ?? []).sorted().first,
                Set(two ?? []).subtracting(one ?? []).sorted().first
            )
            return """
                \(name) (\(one?.count ?? -1) lines, \(two?.count ?? -1)): \(only.0?.prefix(600) ?? "nothing"), \
                not \(only.1?.prefix(600) ?? "nothing")
                """
        }
    }
}
