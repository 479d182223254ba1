// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Model
import Runs

/// What a job has to work with once its configuration was read.
struct JobContext: Sendable {
    let configuration: Configuration
    let now: Instant
    /// By `--now` or a simulated clock; else it is the wall clock.
    let isNowGiven: Bool
    let logger: Logger
    let console: Console
    let isQuiet: Bool

    /// How it waits for an open run of its apps.
    var waiting: RunWaiting {
        var waiting = RunWaiting()
        waiting.movesClock = !isNowGiven
        return waiting
    }

    /// What the job came to, on stdout: `--quiet` says nothing where all is well.
    ///
    /// `isWorthReading`: it names something, however well the job ended.
    func writeSummary(_ summary: String, of ending: JobEnding, isWorthReading: Bool = false) {
        if !isQuiet || ending != .done || isWorthReading { console.write(summary) }
    }

    /// The configured apps that are asked about: those that are not retired.
    var activeApps: [AppConfiguration] { configuration.apps.filter { !$0.isRetired(on: today) } }

    /// Their ids.
    var appNames: [String] { activeApps.map(\.id.rawValue) }

    /// The apps that were named on the command line, else all that are not retired.
    ///
    /// Throws `UsageError` for a name that is no app, or is retired, and where no app is left.
    ///
    /// `orNone`: where none was named and all are retired there is nothing to ask, and nothing is wrong.
    func apps(named names: [String], orNone: Bool = false) throws(UsageError) -> [AppConfiguration] {
        let known = configuration.apps.map(\.id.rawValue)
        let unknown = names.filter { !known.contains($0) }
        guard unknown.isEmpty else {
            throw UsageError(
                lines: unknown.map {
                    "--app \($0) is no app of the configuration; it has \(known.joined(separator: ", "))"
                })
        }
        let chosen = names.isEmpty ? configuration.apps : configuration.apps.filter { names.contains($0.id.rawValue) }
        let active = chosen.filter { !$0.isRetired(on: today) }
        if orNone, names.isEmpty { return active }
        guard !active.isEmpty, names.isEmpty || active.count == chosen.count else {
            throw UsageError(lines: chosen.compactMap(retirement))
        }
        return active
    }

    private func retirement(_ app: AppConfiguration) -> String? {
        guard app.isRetired(on: today), let day = app.retiredOn else { return nil }
        return
            "app \(app.id) is retired since \(day) and asked about no more: take `retired` out of the configuration to do so"
    }
}

extension Instant {
    /// The wall clock, to the second: a run's clock is read by people.
    static var currentSecond: Instant { Instant(micros: Int64(Date().timeIntervalSince1970) * 1_000_000) }
}
