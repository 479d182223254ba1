// SPDX-License-Identifier: Apache-2.0

package import Model

/// One execution of a job for one business date, as its leader holds it.
package struct Run: Sendable {
    /// The jobs that write, by the name the run ledger keeps.
    package enum Job: String, Sendable {
        case nightly, notifications, intake, report, `import`, migrate, replay, reconcile
    }

    package enum Outcome: String, Sendable {
        case done
        /// Some of it: an app was stopped, something was set aside, or the books do not close.
        case partial
        case failed
    }

    package let id: Int64
    package let job: Job
    package let now: Instant
    /// Proves that we still lead: raised when another process takes the run over.
    package let generation: Int64
    /// Taken over from a leader that died: its plan stays.
    package let isResumed: Bool
    /// It asks about every subscription that is not closed, due or not.
    package var isAudit = false

    package init(
        id: Int64, job: Job, now: Instant, generation: Int64, isResumed: Bool, isAudit: Bool = false
    ) {
        self.id = id
        self.job = job
        self.now = now
        self.generation = generation
        self.isResumed = isResumed
        self.isAudit = isAudit
    }
}
