// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// The apps that their store has stopped during a run: no worker asks for them any more.
actor StoppedApps {
    /// Notes why an app stops; the last argument says that it is the cause of what was noted before.
    typealias Noting = @Sendable (AppID, StoreFailure, Bool) async -> Void

    private(set) var failures: [AppID: StoreFailure]
    private let note: Noting

    /// - Parameters:
    ///   - failures: what the run's other processes have noted so far.
    ///   - note: is called with each reason that counts.
    init(_ failures: [AppID: StoreFailure] = [:], noting note: @escaping Noting = { _, _, _ in }) {
        self.failures = failures
        self.note = note
    }

    /// The first reason stays, unless a later one is known to be its cause.
    ///
    /// `isCurrent`: whether it still holds when it is taken down.
    func stop(
        _ app: AppID, because failure: StoreFailure, isCause: Bool = false,
        if isCurrent: @Sendable () -> Bool = { true }
    ) async {
        guard isCause || failures[app] == nil, isCurrent() else { return }
        failures[app] = failure
        await note(app, failure, isCause)
    }

    /// Apps for which the time was over go on: another leader has a time of its own.
    ///
    /// `stopped`: those that the run says are stopped.
    func resumeLate(except stopped: Set<AppID>) {
        failures = failures.filter { $0.value.cause != .outOfTime || stopped.contains($0.key) }
    }

    /// Another host has noted it: true where it is new here.
    func learn(_ failure: StoreFailure, of app: AppID) -> Bool {
        guard failures[app] != failure else { return false }
        failures[app] = failure
        return true
    }

    func isStopped(_ app: AppID) -> Bool { failures[app] != nil }
}
