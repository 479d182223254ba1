// SPDX-License-Identifier: Apache-2.0

package import Stores

/// What a job comes to, for whoever started it: what its run records, and whether the same again may help.
package struct RunResult: Hashable, Sendable {
    package static let done = RunResult(unfinished: [], of: 0)

    package let outcome: Run.Outcome
    /// No app finished, and every reason may pass by itself: a store is down, its quota is used up, the time is over.
    package let mayPass: Bool

    /// - Parameters:
    ///   - unfinished: of each app that has not finished, why it was stopped.
    ///   - apps: how many the job is of.
    ///   - isClean: nothing else needs a person.
    package init(unfinished: [StoreFailure], of apps: Int, isClean: Bool = true) {
        let hasFinished = unfinished.isEmpty || unfinished.count < apps
        outcome = hasFinished ? (unfinished.isEmpty && isClean ? .done : .partial) : .failed
        mayPass = !hasFinished && unfinished.allSatisfy(\.mayPass)
    }
}
