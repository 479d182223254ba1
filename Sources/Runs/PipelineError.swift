// SPDX-License-Identifier: Apache-2.0

/// Why a job could not do its work, in the words of its exit code.
package struct PipelineError: Error, Sendable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// Another run has the app, or this one: try later.
        case alreadyRunning
        /// The run's clock lies before what was already sealed: a usage error.
        case clockRunsBackwards
        /// No report can be of that instant, or of those days: a usage error.
        case wrongTime
        /// This machine's clock is not the database's.
        case clockDiffers
        /// The schema in the database is not the one this program was built with.
        case schemaDiffers
        /// The database was never migrated, and is not one in which a schema can be made.
        case unsuitableDatabase
        /// The schema is another role's, which has to do something first: a usage error.
        case ownerNeeded
        /// Others held locks in the database for too long: try later.
        case databaseBusy
        /// The database has lost what it had confirmed: try later.
        case workLost
        /// Interrupted by a signal.
        case interrupted
        /// Anything else that needs a person.
        case failed
    }

    package let kind: Kind
    /// A sentence: what failed, on what, why, what to do.
    package let message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    package var description: String { message }

    /// Another process leads the run now: this one stops, and nothing needs a person.
    package static func takenOver(_ run: Run) -> Self {
        Self(.alreadyRunning, "run \(run.id) was taken over by another process; this one stops")
    }
}
