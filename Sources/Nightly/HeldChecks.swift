// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Stores

/// Checks of a night that may have failed for a wrong setting. They are neither booked nor set aside until that is
/// decided; where the run dies meanwhile, they are due still.
actor HeldChecks {
    /// Rows of a chunk that is done without them.
    struct Held: Sendable {
        let chunk: Chunk
        let rows: ChunkRows
    }

    enum Decision: Sendable {
        case wrongSetting(StoreFailure)
        /// Each is what it seems.
        case asTheySeem([Held])
    }

    private struct State {
        var suspicion = ConfigurationSuspicion()
        var held: [Held] = []
    }

    /// So many of an app are judged without waiting for its last chunk: memory is not for ever, nor is a night.
    private static let most = 10_000

    private var apps: [AppID: State] = [:]

    /// True when it is time to judge the app.
    func add(_ sifted: SiftedRows, of chunk: Chunk) -> Bool {
        var state = apps[chunk.appID] ?? State()
        state.suspicion.add(sifted.suspicion)
        if !sifted.suspicious.isEmpty {
            state.held.append(Held(chunk: chunk, rows: ChunkRows(merging: sifted.suspicious)))
        }
        apps[chunk.appID] = state
        return state.held.reduce(0) { $0 + $1.rows.failures.count } >= Self.most
    }

    /// What follows from all that is known by now; what was held goes with it.
    func judge(_ app: AppID) -> Decision {
        guard let state = apps[app] else { return .asTheySeem([]) }
        apps[app]?.held = []
        return state.suspicion.finding.map { .wrongSetting($0.failure(of: app)) } ?? .asTheySeem(state.held)
    }
}
