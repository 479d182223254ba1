// SPDX-License-Identifier: Apache-2.0

package import Postgres

extension DatabaseSessions {
    /// Runs `body` with a session for work, again from its beginning where the session is lost, until the server was away for
    /// too long: what `body` does is idempotent, or looks up what became of its commit.
    package nonisolated func use<Value>(
        _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        try await use(.work, body)
    }

    /// The same with a session for that purpose.
    package nonisolated func use<Value>(
        _ purpose: Purpose, _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        var tries = 0
        while true {
            do {
                return try await useOnce(purpose, body)
            } catch  where PostgresError.isOutage(error) && !Task.isCancelled {
                // No session was to be had for leases: the others have them all, and the server is there.
                if purpose == .leases, PostgresError.isTooManyConnections(error) { throw error }
                tries += 1
                try await Task.sleep(for: try await pause(after: error, tries: tries))
            }
        }
    }

    /// Runs `body` once, and waits for no server that is away: for what another job makes good.
    package nonisolated func useOnce<Value>(
        _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        try await useOnce(.work, body)
    }

    nonisolated func useOnce<Value>(
        _ purpose: Purpose, _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        let connection = try await borrow(purpose)
        do {
            try await giveName(to: connection)
            let value = try await body(connection)
            await giveBack(connection, purpose, after: nil)
            return value
        } catch {
            await giveBack(connection, purpose, after: error)
            throw error
        }
    }
}
