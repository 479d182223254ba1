// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import SQLCatalog

/// An issue as the database remembers it, with the checksum of its manifest.
struct RecordedIssue: Sendable {
    let seal: Int64
    let businessDate: String
    /// Where it was written.
    let path: String
    let sha256: String
    /// The clock of its run: `report --as-of` writes the same tables again.
    let asOf: Instant
    /// When its folder was taken away on purpose; nil: it was not.
    let prunedAt: Instant?

    var name: String { (path as NSString).lastPathComponent }

    /// Nil where no checksum was kept.
    init?(_ row: PostgresRow) throws(PostgresError) {
        guard let sha256 = try row.optionalString("manifest_sha256") else { return nil }
        self.sha256 = sha256
        seal = try row.int64("seal")
        businessDate = try row.string("business_date")
        path = try row.string("path")
        asOf = try row.instant("as_of")
        prunedAt = try row.optionalInstant("pruned_at")
    }

    /// Those with a checksum, in the order of their seals, and how many have none.
    static func all(on connection: PostgresConnection) async throws(PostgresError) -> (issues: [Self], unproven: Int) {
        let rows = try await connection.query(SQL.Reports.Manifest.issues)
        let issues = try rows.map { row throws(PostgresError) in try Self(row) }.compactMap(\.self)
        return (issues, rows.count - issues.count)
    }
}
