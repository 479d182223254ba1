// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Logging
import Model
import Postgres
import TestSupport

@testable import Load

/// Loads chunks of 500 registered customers into a database, and writes the same chunks as scripts for `psql`.
///
/// The customers are `1`, `2` … of app `acme-ios`; run 1 has the chunks, leased with generation 1.
struct LoadChunks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "load")

    private static let chunkSize = 500

    @Argument(help: "How many chunks.") var chunks: Int
    @Option(help: "URL of the database.") var database: String
    @Option(help: "Transactions of each customer.") var transactions = 4
    @Option(help: "Folder for the scripts, 1.sql and on.") var scripts: String

    func run() async throws {
        let answers = try AppStoreAnswers(signedBy: SigningStore())
        let connection = try await PostgresConnection.connect(
            PostgresConfiguration(url: database), logger: Logger(label: "load") { _ in SwiftLogNoOpLogHandler() })
        var elapsed = Duration.zero
        for number in 1...chunks {
            let first = (number - 1) * Self.chunkSize + 1
            let made = try MadeChunk(
                answers, customers: first...(first + Self.chunkSize - 1), transactions: transactions)
            let chunk = Chunk(
                runID: 1, number: number, generation: 1, appID: AppStoreAnswers.appID, now: AppStoreAnswers.now)
            try LoadScript(chunk: chunk, rows: made.rows).text
                .write(toFile: "\(scripts)/\(number).sql", atomically: true, encoding: .utf8)
            elapsed += try await ContinuousClock().measure {
                _ = try await LoadStage(connection: connection).load(made.rows, as: chunk, counts: made.rows.counts)
            }
        }
        print(elapsed / .seconds(1))
    }
}
