// SPDX-License-Identifier: Apache-2.0

import Postgres

extension Statement {
    /// A statement that a test makes up.
    static func test(_ text: String) -> Statement {
        Statement(name: "test/statement.sql", text: text)
    }
}

/// What a piece of work throws; nil if it does not throw that type.
func thrown<E: Error>(_ type: E.Type, _ work: () async throws -> Void) async -> E? {
    do {
        try await work()
        return nil
    } catch {
        return error as? E
    }
}

/// Thrown by a test's own closures.
struct Deliberate: Error, Equatable {}
