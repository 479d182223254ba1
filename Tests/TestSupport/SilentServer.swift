// SPDX-License-Identifier: Apache-2.0

/// A server on loopback that takes connections and never says a word: whoever calls it waits.
package final class SilentServer: Sendable {
    private let socket: ListeningSocket

    package var port: UInt16 { socket.port }

    package init() throws { socket = try ListeningSocket() }

    /// How many have connected and were not counted yet.
    package func callers() -> Int {
        var count = 0
        while socket.hasCaller, socket.next() != nil { count += 1 }
        return count
    }

    /// Returns when somebody has connected.
    package func waitForCaller() async throws {
        while !socket.hasCaller { try await Task.sleep(for: .milliseconds(20)) }
    }
}
