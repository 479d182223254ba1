// SPDX-License-Identifier: Apache-2.0

extension PostgresConnection {
    /// Runs `body` in a transaction, so many times at most: after a moment where the database asks for another attempt, as of two
    /// that wait for each other's locks, and at once where somebody else was faster.
    ///
    /// `isOvertaken`: somebody else was; the next attempt sees what they did.
    ///
    /// Throws the last attempt's error, or one that another attempt does not help.
    package nonisolated func withTransaction<R>(
        attempts: Int, isOvertaken: (PostgresError) -> Bool = { _ in false },
        _ body: (PostgresConnection) async throws -> R
    ) async throws -> R {
        var attempt = 0
        while true {
            attempt += 1
            do {
                return try await withTransaction(.readWrite, body)
            } catch let error as PostgresError where attempt < attempts {
                if isOvertaken(error) { continue }
                guard error.disposition == .retry, !error.isOutage else { throw error }
                try await Task.sleep(for: .milliseconds(Int.random(in: 0..<200) * attempt))
            }
        }
    }
}
