// SPDX-License-Identifier: Apache-2.0

package import Logging
internal import Postgres

/// After an issue, while the run still has its turn.
extension ReportTurn {
    /// Takes away what has outlived `reports.keep`; what cannot be taken away stays for the next issue.
    ///
    /// `take` does it, and says how many folders went.
    package func prune(_ logger: Logger, _ take: () async throws -> Int) async throws {
        do {
            let folders = try await take()
            if folders > 0 { logger.notice("\(folders) reports have outlived reports.keep and are taken away") }
        } catch let error where !Task.isCancelled && !Self.isLost(by: error) {
            logger.error("reports that have outlived reports.keep cannot be taken away: \(error)")
        }
    }

    /// The database is away, or another leader writes reports now: nothing more is to be written.
    package static func isLost(by error: any Error) -> Bool {
        PostgresError.isOutage(error) || (error as? PipelineError)?.kind == .alreadyRunning
    }
}
