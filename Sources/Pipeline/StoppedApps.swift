// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// The apps that their store has stopped during a run: no worker asks for them any more.
actor StoppedApps {
    private(set) var failures: [AppID: StoreFailure] = [:]

    func stop(_ app: AppID, because failure: StoreFailure) {
        failures[app] = failures[app] ?? failure
    }

    func isStopped(_ app: AppID) -> Bool { failures[app] != nil }
}
