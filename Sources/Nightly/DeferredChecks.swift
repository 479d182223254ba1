// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Stores

/// Checks of a night that may have failed for a wrong setting. They are neither booked nor set aside until that is
/// decided; where the run dies meanwhile, they are due still.
actor DeferredChecks {
    /// Rows of a chunk that is done without them.
    struct DeferredCheck: Sendable {
        let chunk: Chunk
        let rows: ChunkRows
    }

    enum Decision: Sendable {
        case wrongSetting(StoreFailure)
        /// Each is what it seems.
        case asTheySeem([DeferredCheck])
    }

    private struct State {
        /// Ids of the app were answered well on earlier nights.
        var wasAnswered = false
        /// The setting that a reason points to.
        var setting: @Sendable (String) -> SuspectSetting? = { _ in nil }
        var suspicion = ConfigurationSuspicion()
        var deferred: [DeferredCheck] = []
    }

    /// So many of an app are decided on without waiting for its last chunk: memory is not for ever, nor is a night.
    private static let most = 10_000

    private var apps: [AppID: State] = [:]

    /// `answered`: apps of which ids were answered well on earlier nights.
    ///
    /// `suspicions`: what the run has counted so far, where another process led it before.
    init(of stores: [any Store] = [], answered: Set<AppID> = [], suspicions: [AppID: ConfigurationSuspicion] = [:]) {
        for store in stores {
            apps[store.appID] = State(
                wasAnswered: answered.contains(store.appID), setting: store.suspect,
                suspicion: suspicions[store.appID] ?? ConfigurationSuspicion())
        }
    }

    /// True when it is time to decide on the app.
    func add(_ filtered: FilteredRows, of chunk: Chunk) -> Bool {
        var state = apps[chunk.appID] ?? State()
        state.suspicion.add(filtered.suspicion)
        if !filtered.suspicious.isEmpty {
            state.deferred.append(DeferredCheck(chunk: chunk, rows: ChunkRows(merging: filtered.suspicious)))
        }
        apps[chunk.appID] = state
        return state.deferred.reduce(0) { $0 + $1.rows.failures.count } >= Self.most
    }

    /// What follows from all that is known by now; what was held goes with it.
    func decide(_ app: AppID) -> Decision {
        guard let state = apps[app] else { return .asTheySeem([]) }
        apps[app]?.deferred = []
        let finding = state.suspicion.finding(wasAppAnswered: state.wasAnswered, state.setting)
        return finding.map { .wrongSetting($0.failure(of: app)) } ?? .asTheySeem(state.deferred)
    }
}
