// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// Writes a first configuration.
struct Init: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes a commented configuration, from flags or from what it asks on a terminal.",
        discussion: """
            The file is subledger.yaml, or what --config or SUBLEDGER_CONFIG names; one that is there already is left as it is. \
            Flags that are left out are asked for on a terminal. Secrets are never asked for: the file says where each key file \
            belongs.

            \(JobEnding.help)
            """)

    @Option(name: .shortAndLong, help: "The file to write; else SUBLEDGER_CONFIG, else ./subledger.yaml.")
    var config: String?

    @OptionGroup var answers: InitOptions

    func run() async throws {
        let path = ConfigurationFile.path(option: config, environment: ProcessInfo.processInfo.environment)
        try Job.performWithoutConfiguration { console in
            let isTerminal = isatty(STDIN_FILENO) == 1 && console.isTerminal
            let interview = Interview(console: console, isTerminal: isTerminal)
            let file = NewConfigurationFile(path: path)
            try file.refuseExisting()
            let draft = try answers.draft(asking: interview)
            try file.write(draft.text)
            console.write(draft.nextSteps(path).joined(separator: "\n"))
            return .done
        }
    }
}
