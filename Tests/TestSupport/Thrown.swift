// SPDX-License-Identifier: Apache-2.0

/// What a piece of work throws; nil if it does not throw that type.
package func thrown<E: Error>(_ type: E.Type, _ work: () async throws -> Void) async -> E? {
    do {
        try await work()
        return nil
    } catch {
        return error as? E
    }
}

/// Thrown by a test's own closures.
package struct Deliberate: Error, Equatable {
    package init() {}
}
