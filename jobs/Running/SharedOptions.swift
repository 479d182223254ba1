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

    @Flag(name: .shortAndLong, help: "Only warnings and errors in the log, no progress.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "More in the log.")
    var verbose = false

    func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose cannot stand together") }
    }

    var logLevel: Logger.Level { quiet ? .warning : verbose ? .debug : .info }
}

extension Instant: ExpressibleByArgument {
    package init?(argument: String) { self.init(iso8601: argument) }
}
