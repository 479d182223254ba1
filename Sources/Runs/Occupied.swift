// SPDX-License-Identifier: Apache-2.0

internal import Model

/// Somebody's work on the job's apps is in the way, and it ends by itself.
struct Occupied: Error {
    static let justOpened = Occupied(description: "another process has just opened a run of these apps", until: nil)

    /// Who it is, and since when.
    let description: String
    /// The end of its lease.
    let until: Instant?

    init(description: String, until: Instant?) {
        self.description = description
        self.until = until
    }

    /// A run that is to be closed, and somebody is at its rows: mostly one of its hosts, in the middle of a load.
    static func locked(_ run: OpenRun) -> Occupied {
        Occupied(
            description: "somebody has rows of run \(run.id) locked, whose leader is dead", until: nil)
    }

    init(_ run: OpenRun) { self.init(description: run.description, until: run.leasedUntil) }

    /// Why the job has not begun.
    func refusal(after patience: Duration = .zero) -> PipelineError {
        let waited = patience > .zero ? "waited \(patience.components.seconds) s for it; " : ""
        let death = until.map { " (if it has died, from \($0.iso8601) on: until then its lease holds)" } ?? ""
        return PipelineError(.alreadyRunning, "\(description); \(waited)try again when it is done\(death)")
    }
}
