// SPDX-License-Identifier: Apache-2.0

/// Waits until something has happened, without keeping a thread busy; the test's own time limit ends it.
package func waitUntil(_ condition: @Sendable () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(1)) }
}
