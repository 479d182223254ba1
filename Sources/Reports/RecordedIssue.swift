// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import SQLCatalog

/// An issue as the database remembers it, with the checksum of its manifest.
struct RecordedIssue: Sendable {
    let seal: Int64
    let path: String
    let sha256: String

    var name: String { (path as NSString).lastPathComponent }

    /// Nil where no checksum was kept.
    init?(_ row: PostgresRow) throws(PostgresError) {
        guard let sha256 = try row.optionalString("manifest_sha256") else { return nil }
        self.sha256 = sha256
        seal = try row.int64("seal")
        path = try row.string("path")
    }

    /// Those with a checksum, in the order of their seals, and how many have none.
    static func all(on connection: PostgresConnection) async throws(PostgresError) -> (issues: [Self], unproven: Int) {
        let rows = try await connection.query(SQL.Reports.Manifest.issues)
        let issues = try rows.map { row throws(PostgresError) in try Self(row) }.compactMap(\.self)
        return (issues, rows.count - issues.count)
    }

    /// Where it stands now: where it was issued, or below the reports' folder, should that have been moved since.
    func folder(in directory: String) -> String {
        FileManager.default.fileExists(atPath: path) ? path : "\(directory)/\(name)"
    }
}
