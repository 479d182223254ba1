// SPDX-License-Identifier: Apache-2.0

internal import Model
package import Postgres
internal import SQLCatalog

/// How far the standby that was asked lags behind its primary.
///
/// Where nothing was committed on the primary since, nothing is missing, however long ago the last commit was: the time is the most that
/// may be missing.
package struct StandbyLag: Sendable, Hashable, Encodable {
    /// The last commit that it has, by the primary's clock; nil: none since it was started.
    package let lastCommitAt: String?
    package let secondsSinceLastCommit: Int64?
    /// Received, and not to be read yet.
    package let unappliedBytes: Int64
    /// False: the primary, or the way to it, is away, and it cannot know what it lacks.
    package let isReceiving: Bool

    package init(lastCommitAt: String?, secondsSinceLastCommit: Int64?, unappliedBytes: Int64, isReceiving: Bool) {
        (self.lastCommitAt, self.secondsSinceLastCommit) = (lastCommitAt, secondsSinceLastCommit)
        (self.unappliedBytes, self.isReceiving) = (unappliedBytes, isReceiving)
    }

    /// Nil on a server that is no standby.
    package static func read(on connection: PostgresConnection) async throws(PostgresError) -> StandbyLag? {
        guard let row = try await connection.query(SQL.Pipeline.readStandby).first else { return nil }
        return StandbyLag(
            lastCommitAt: try row.optionalInstant("last_commit")?.iso8601,
            secondsSinceLastCommit: try row.optionalInt64("seconds"),
            unappliedBytes: try row.int64("unapplied_bytes"), isReceiving: try row.bool("is_receiving"))
    }
}

extension StandbyLag: CustomStringConvertible {
    /// What is read there, and what may be missing.
    package var description: String {
        let commit =
            if let lastCommitAt, let seconds = secondsSinceLastCommit {
                "its last commit is of \(lastCommitAt), \(seconds) s ago"
            } else {
                "it has received no commit since it was started"
            }
        let unapplied = unappliedBytes == 0 ? "" : "; \(unappliedBytes) bytes are received and not applied yet"
        let link = isReceiving ? "" : "; it receives nothing at present, and may lack what was committed since"
        return commit + unapplied + link
    }
}
