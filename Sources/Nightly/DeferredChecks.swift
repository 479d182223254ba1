// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// Checks of a night that may have failed for a wrong setting: they are neither booked nor set aside until that is
/// decided, and wait in the run's tables for whichever host decides it.
actor DeferredChecks {
    private struct App {
        /// Ids of the app were answered well on earlier nights.
        var wasAnswered = false
        /// The setting that a reason points to.
        var setting: @Sendable (String) -> SuspectSetting? = { _ in nil }
        /// By this host since it decided last.
        var deferred = 0
    }

    /// So many of an app are decided on without waiting for its last chunk: a night is not for ever.
    private static let most = 10_000

    private var apps: [AppID: App] = [:]

    /// `answered`: apps of which ids were answered well on earlier nights.
    init(of stores: [any Store], answered: Set<AppID>) {
        for store in stores {
            apps[store.appID] = App(wasAnswered: answered.contains(store.appID), setting: store.suspect)
        }
    }

    /// This host has deferred so many; true when it is time to decide on the app.
    func add(_ checks: Int, of app: AppID) -> Bool {
        guard checks > 0 else { return false }
        apps[app, default: App()].deferred += checks
        return apps[app]?.deferred ?? 0 >= Self.most
    }

    /// What follows from how all checks of the app ended that the run has made by now; nil: each is what it seems.
    func finding(_ app: AppID, from counts: [String: Int64]) -> StoreFailure? {
        apps[app]?.deferred = 0
        guard let known = apps[app] else { return nil }
        return ConfigurationSuspicion(counts: counts).finding(wasAppAnswered: known.wasAnswered, known.setting)?
            .failure(of: app)
    }
}
