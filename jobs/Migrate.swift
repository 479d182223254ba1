// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Operations

/// Brings the database's schema, and its table of apps, in step with program and configuration.
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Brings the database schema up to date.",
        discussion: """
            Forward only, each migration once, all in one transaction. Every writing job does the same by itself.

            \(JobEnding.help)
            """)

    @OptionGroup var options: SharedOptions

    func run() async throws {
        try await Job.perform(options) { context in
            try await context.withDatabase { database in
                try await context.withConnection(to: database) { connection in
                    let migrator = Migrator(connection: connection, logger: context.logger)
                    let applied = try await migrator.migrate()
                    try await migrator.persist(
                        context.configuration.apps.map { $0.row(on: context.today) },
                        access: context.configuration.access)
                    context.writeSummary(Self.text(applied), of: .done)
                }
            }
            return .done
        }
    }

    /// A few files are named; a new schema has hundreds.
    private static func text(_ applied: [String]) -> String {
        switch applied.count {
        case 0: "the schema is up to date"
        case 1...10: "applied " + applied.joined(separator: ", ")
        default: "applied \(applied.count) files of the schema (--verbose names them)"
        }
    }
}
