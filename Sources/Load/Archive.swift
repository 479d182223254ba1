// SPDX-License-Identifier: Apache-2.0

internal import Model
internal import Postgres
internal import SQLCatalog

/// Keeps the store's answers of a chunk: each content once, and what is held already is not sent again.
struct Archive {
    /// Sent in one statement, roughly.
    private static let statementBytes = 2_000_000

    /// A document, and the subscription it is kept under.
    private struct Answer {
        let key: SubscriptionKey
        let document: ArchivedDocument
        /// Nil: it is held already.
        var body: String?
    }

    let connection: PostgresConnection
    let chunk: Chunk

    /// In parts: a first night's answers are many megabytes.
    ///
    /// The documents of one check stay together.
    func persist(_ answers: [SubscriptionKey: [ArchivedDocument]]) async throws {
        try await persistChains(of: answers.values.flatMap(\.self))
        let received = answers.sorted { $0.key < $1.key }.flatMap { key, documents in
            documents.map { Answer(key: key, document: $0, body: $0.body) }
        }
        guard !received.isEmpty else { return }
        for part in Self.parts(of: try await recognised(received)) {
            let missing = try await add(part)
            if !missing.isEmpty { _ = try await add(missing) }
        }
    }

    private func persistChains(of documents: [ArchivedDocument]) async throws {
        let chains = documents.reduce(into: [:]) { $0.merge($1.chains) { first, _ in first } }
            .sorted { $0.key < $1.key }
        guard !chains.isEmpty else { return }
        try await connection.execute(
            SQL.Load.archiveChains, [.textArray(chains.map(\.key)), .documentArray(chains.map(\.value))])
    }

    /// The same answers, those that are held without their bodies.
    private func recognised(_ answers: [Answer]) async throws -> [Answer] {
        var answers = answers
        let rows = try await connection.query(
            SQL.Load.recogniseAnswers,
            [.intArray(answers.map(\.key.rawValue)), .textArray(answers.map(\.document.answerHash))])
        for row in rows { answers[try row.int("place") - 1].body = nil }
        return answers
    }

    private static func parts(of answers: [Answer]) -> [[Answer]] {
        var parts: [[Answer]] = [[]]
        var bytes = 0
        for answer in answers {
            if bytes >= statementBytes, answer.key != parts.last?.last?.key {
                parts.append([])
                bytes = 0
            }
            parts[parts.count - 1].append(answer)
            bytes += answer.body?.utf8.count ?? 0
        }
        return parts
    }

    /// Gives those that are evidence and were cleared since they were recognised, with their bodies.
    private func add(_ part: [Answer]) async throws -> [Answer] {
        let missing = try await connection.query(
            SQL.Load.archiveAnswers,
            [
                .intArray(part.map(\.key.rawValue)), .textArray(part.map(\.document.answerHash)),
                .textArray(part.map { _ in chunk.appID.rawValue }), .textArray(part.map(\.document.endpoint)),
                .documentArray(part.map(\.body)), .int(chunk.runID), PostgresValue(chunk.now),
                PostgresValue(chunk.number),
            ])
        guard !missing.isEmpty else { return [] }
        let keys = Set(try missing.map { SubscriptionKey(try $0.int64("subscription_key")) })
        return part.filter { keys.contains($0.key) }.map {
            Answer(key: $0.key, document: $0.document, body: $0.document.body)
        }
    }
}
