// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The simulated stores as a program: for the demo, and for trying subledger without a store account.
@main
struct StoreSim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storesim", abstract: "Simulated stores that keep books of their own.", subcommands: [Serve.self])
}
