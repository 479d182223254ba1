// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Logging
import Model

/// What every job takes.
struct SharedOptions: ParsableArguments {
    enum LogFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

    @Option(name: .shortAndLong, help: "The configuration file; else SUBLEDGER_CONFIG, else ./subledger.yaml.")
    var config: String?

    @Option(help: "The logical clock, an ISO 8601 instant such as 2026-03-01T02:15:00Z; else the wall clock.")
    var now: Instant?

    @Option(help: "How the log on stderr is written.")
    var logFormat: LogFormat = .text

    @Flag(
        name: .shortAndLong, help: "Only warnings and errors in the log, no progress, and no summary where all is well."
    )
    var quiet = false

    @Flag(name: .shortAndLong, help: "More in the log.")
    var verbose = false

    func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose exclude each other") }
    }

    var logLevel: Logger.Level { quiet ? .warning : verbose ? .debug : .info }
}

extension Instant: ExpressibleByArgument {
    /// From 1970 to 9998: what is reckoned from an instant, its day or a check two months later, must have a date, too.
    package init?(argument: String) {
        guard let year = Int(argument.prefix(4)), (1_970...9_998).contains(year) else { return nil }
        self.init(iso8601: argument)
    }
}
