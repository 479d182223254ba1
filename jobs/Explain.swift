// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Operations

/// The story behind an id.
struct Explain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The story of a subscription, transaction or customer.",
        discussion: """
            States, money, next check and why, and the store's answers. Takes a subscription key, an original \
            transaction id, a transaction or order id, a purchase token, or your own account id. Purchase tokens and \
            receipts are never printed.

            \(JobEnding.help)
            """)

    @OptionGroup var options: SharedOptions

    @Argument(help: "Whatever you have in hand.")
    var id: String

    @Flag(help: "Print the store's answers too.")
    var answers = false

    func run() async throws {
        try await Job.perform(options) { context in
            let found = try await context.readingDatabase { connection in
                try await Explanation.find(id, on: connection, now: context.now)
            }
            guard !found.isEmpty else {
                context.console.complain("nothing is known under that id")
                return .failed
            }
            let texts = found.map { ExplanationText($0, now: context.now, hasBodies: answers).description }
            context.console.write(texts.joined(separator: "\n\n"))
            return .done
        }
    }
}
