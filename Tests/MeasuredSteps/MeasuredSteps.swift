// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Dispatch
import Model
import Signing
import Stores
import TestSupport
import Transform

@testable import Load
@testable import Postgres

/// Single steps of a night by themselves, on fixed inputs, for `scripts/bench`: it counts their instructions and times them.
@main
struct MeasuredSteps: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measured-steps", abstract: "Repeats one step of a night.",
        subcommands: [Verify.self, Read.self, TransformAnswers.self, Encode.self, LoadChunks.self, Keys.self])

    /// On the main thread, which an asynchronous `main` would end: valgrind does not survive that.
    static func main() {
        do {
            var command = try parseAsRoot()
            guard let load = command as? LoadChunks else { return try command.run() }
            Task {
                do { try await load.run() } catch { exit(withError: error) }
                exit()
            }
            dispatchMain()
        } catch {
            exit(withError: error)
        }
    }
}

/// How often, and on what.
struct Repetition: ParsableArguments {
    @Argument(help: "How often.") var times: Int
    @Option(help: "Transactions in the history of a customer; 0: statuses alone.") var transactions = 4

    @OptionGroup var folder: KeyFolder

    func answers() throws -> AppStoreAnswers { try AppStoreAnswers(signedBy: folder.signingStore()) }

    func answer(_ answers: AppStoreAnswers) throws -> StoreAnswer {
        transactions == 0 ? try answers.steady(of: 1) : try answers.first(of: 1, transactions: transactions)
    }
}

/// The signature of one row whose chain is known.
struct Verify: ParsableCommand {
    @OptionGroup var repetition: Repetition

    func run() throws {
        let signing = try repetition.folder.signingStore()
        let verifier = try JWSVerifier(
            policy: ChainPolicy(
                roots: [signing.root], leafOID: CertificateWorkshop.leafOID,
                intermediateOID: CertificateWorkshop.intermediateOID))
        let compact = Array(
            try signing.sign(["transactionId": "1", "signedDate": AppStoreAnswers.now.milliseconds]).utf8)
        func verify() throws {
            _ = try verifier.verify(compact, fallbackValidAt: 0) { _ in AppStoreAnswers.now.milliseconds }
        }
        try verify()
        let elapsed = try ContinuousClock().measure { for _ in 0..<repetition.times { try verify() } }
        print(Double(repetition.times) / (elapsed / .seconds(1)))
    }
}

/// One answer: decoded, its signatures verified, its archived form made.
struct Read: ParsableCommand {
    @OptionGroup var repetition: Repetition

    func run() throws {
        let answers = try repetition.answers()
        let answer = try repetition.answer(answers)
        for _ in 0..<repetition.times { _ = try answers.store.read(answer) }
    }
}

/// The rows of an answer that was read.
struct TransformAnswers: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "transform")
    @OptionGroup var repetition: Repetition

    func run() throws {
        let answers = try repetition.answers()
        let answer = try repetition.answer(answers)
        let read = ReadAnswer(answer, by: answers.store)
        let stage = TransformStage(store: answers.store, now: AppStoreAnswers.now, defaultCountry: nil)
        for _ in 0..<repetition.times {
            var rows = ChunkRows()
            stage.rows(for: read, into: &rows)
        }
    }
}

/// The text of a transaction's row for COPY.
struct Encode: ParsableCommand {
    @OptionGroup var repetition: Repetition

    func run() throws {
        let answers = try repetition.answers()
        let rows = try MadeChunk(answers, customers: 1...1, transactions: 4).rows
        let chunk = Chunk(runID: 1, number: 1, generation: 1, appID: AppStoreAnswers.appID, now: AppStoreAnswers.now)
        var text: [UInt8] = []
        for number in 0..<repetition.times {
            let row = rows.transactions[number % rows.transactions.count]
            CopyText.append(row.columns(of: chunk, answerHash: "hash"), to: &text)
            text.removeAll(keepingCapacity: true)
        }
    }
}
