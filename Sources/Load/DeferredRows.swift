// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Model

/// What failed checks leave if each is what it seems, as it is stored until that is decided.
struct DeferredRows: Codable {
    private let asked: [SubscriptionKey: Int64]
    private let failures: [FailedCheck]
    private let failedLooks: [FailedLook]
    private let setAside: [SetAside]
    private let answers: [SubscriptionKey: [ArchivedDocument]]
    private let placeholders: [SubscriptionKey]
    private let awaited: [SubscriptionKey: [AwaitedOrder]]
    private let unknownValues: [String: Int64]
    private let suspicion: [String: Int64]

    init(_ rows: ChunkRows) {
        asked = rows.asked
        failures = rows.failures
        failedLooks = rows.failedLooks
        setAside = rows.setAside
        answers = rows.answers
        placeholders = rows.placeholders
        awaited = rows.awaited
        unknownValues = rows.unknownValues
        suspicion = rows.suspicion
    }

    /// Nil where it is nothing that this version of the program has written.
    static func read(json: String) -> ChunkRows? {
        try? JSONDecoder().decode(Self.self, from: Data(json.utf8)).rows
    }

    var json: String { get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) } }

    private var rows: ChunkRows {
        var rows = ChunkRows()
        (rows.asked, rows.failures, rows.failedLooks, rows.setAside) = (asked, failures, failedLooks, setAside)
        (rows.answers, rows.placeholders, rows.awaited) = (answers, placeholders, awaited)
        (rows.unknownValues, rows.suspicion) = (unknownValues, suspicion)
        return rows
    }
}
