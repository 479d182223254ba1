// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Logging

/// A command line that is no job: said on stderr in the form that it asks for itself, as far as it can be read.
struct ParsingFailure {
    let arguments: [String]

    /// Ends the process: with help on stdout, with 64, or with what a job has said already.
    func end(with error: any Error) async -> Never {
        let code = Subledger.exitCode(for: error)
        guard code == .validationFailure, !(error is ExitCode) else { Subledger.exit(withError: error) }
        let format: SharedOptions.LogFormat = isJSON ? .json : .text
        let console = Console(format: format)
        LoggingSystem.bootstrap { _ in ConsoleLogHandler(console: console, format: format, logLevel: .notice) }
        // A schedule that lost its words is a night that does not come.
        if arguments.first == "nightly", !arguments.contains("--dry-run") {
            await NightPings(config: config).end(code.rawValue)
        }
        guard isJSON else { Subledger.exit(withError: error) }
        console.complain(Subledger.message(for: error))
        Subledger.exit(withError: code)
    }

    private var isJSON: Bool { value(of: "--log-format") == "json" }

    private var config: String? { value(of: "--config") ?? value(of: "-c") }

    /// The word behind an option, or behind its sign of equality.
    private func value(of option: String) -> String? {
        if let place = arguments.firstIndex(of: option) { return arguments[place...].dropFirst().first }
        return arguments.first { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
    }
}
