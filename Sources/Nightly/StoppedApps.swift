// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// The apps that their store has stopped during a run: no worker asks for them any more.
actor StoppedApps {
    private(set) var failures: [AppID: StoreFailure] = [:]

    /// The first reason stays, unless a later one is known to be its cause.
    func stop(_ app: AppID, because failure: StoreFailure, isCause: Bool = false) {
        failures[app] = isCause ? failure : failures[app] ?? failure
    }

    func isStopped(_ app: AppID) -> Bool { failures[app] != nil }
}
