// SPDX-License-Identifier: Apache-2.0

/// Why a chunk was not loaded.
package enum LoadError: Error, Sendable, CustomStringConvertible {
    /// Another worker holds the chunk: drop the work, it is being done.
    case leaseLost(chunk: Int)
    /// The run is sealed, or closed: what it says does not change any more.
    case runOver(run: Int64, chunk: Int)
    /// Staging does not hold what was sent: the transaction is given up and the chunk done again.
    case stagedMismatch(chunk: Int, sent: Int, staged: Int)

    /// The chunk is not this worker's any more, and nothing is wrong: it goes on with another one.
    package var isOfOthers: Bool {
        switch self {
        case .leaseLost, .runOver: true
        case .stagedMismatch: false
        }
    }

    package var description: String {
        switch self {
        case .leaseLost(let chunk):
            "chunk \(chunk) is no longer ours: another worker took it over; its rows were left alone"
        case .runOver(let run, let chunk):
            "chunk \(chunk): run \(run) is sealed or has ended; nothing was loaded, its subscriptions are due still"
        case .stagedMismatch(let chunk, let sent, let staged):
            "chunk \(chunk): \(sent) rows were sent and \(staged) are in staging; nothing was loaded, it is tried again"
        }
    }
}
