// SPDX-License-Identifier: Apache-2.0

package import Postgres

/// Where a job's statements are sent: one connection, which may be lost, or sessions that are opened again.
package protocol DatabaseAccess: Sendable {
    /// Runs `body` with a connection that is its own meanwhile. Where sessions are opened again, it is run again from its
    /// beginning after a loss: it must be idempotent, or look up what became of its commit.
    func use<Value>(_ body: (PostgresConnection) async throws -> Value) async throws -> Value

    /// The same, once: what a loss interrupts is not run again.
    func useOnce<Value>(_ body: (PostgresConnection) async throws -> Value) async throws -> Value

    /// Every session that is used from now on is known by this name.
    func name(_ name: SessionName) async throws
}

extension PostgresConnection: DatabaseAccess {
    package nonisolated func use<Value>(
        _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        try await body(self)
    }

    package nonisolated func name(_ name: SessionName) async throws {
        try await name.give(to: self)
    }

    package nonisolated func useOnce<Value>(
        _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        try await body(self)
    }
}
