// SPDX-License-Identifier: Apache-2.0

import Model
import SQLCatalog

@testable import Load
@testable import Postgres

/// The statements of a chunk's load for `psql`: COPY and what follows it, with the values in place of the parameters.
struct LoadScript {
    let chunk: Chunk
    let rows: ChunkRows

    var text: String {
        let hashes = rows.answerHashes
        let transactions = rows.transactions.map { $0.columns(of: chunk, answerHash: hashes[$0.key]) }
        let subscriptions = rows.subscriptions.map { $0.columns(of: chunk, checkRequestsSeen: rows.asked[$0.key]) }
        let dated = chunk.identity + [PostgresValue(chunk.now)]
        let sql = SQL.Load.self
        let statements: [(Statement, [PostgresValue])] = [
            (sql.lockKeys, chunk.identity + [.intArray([]), .intArray([])]), (sql.findChanges, chunk.identity),
            (sql.appendLedgerEntries, dated), (sql.upsertTransactions, chunk.identity), (sql.appendVersions, dated),
            (sql.appendStateChanges, dated), (sql.updateSubscriptions, dated),
            (sql.requestCheckOfIndirectlySeen, chunk.identity),
            (sql.requestCheckOfLinked, chunk.identity), (sql.requestCheckOfUnplaced, chunk.identity),
            (sql.resolveDeadLetters, dated),
            (sql.finishChunk, chunk.identity + [.int(1), .int(0), .int(0), .json("{}")]),
            (sql.clearStageTransactions, chunk.identity), (sql.clearStageChanges, chunk.identity),
            (sql.clearStageSubscriptions, chunk.identity), (sql.clearStageKeys, chunk.identity),
        ]
        return "begin;\n" + copy(sql.copyTransactions, transactions) + copy(sql.copySubscriptions, subscriptions)
            + statements.map { Self.filled($0, $1) + ";\n" }.joined() + "commit;\n"
    }

    private func copy(_ statement: Statement, _ rows: [[PostgresValue]]) -> String {
        var lines: [UInt8] = []
        for row in rows { CopyText.append(row, to: &lines) }
        return "\(statement.text);\n" + String(decoding: lines, as: UTF8.self) + "\\.\n"
    }

    private static func filled(_ statement: Statement, _ values: [PostgresValue]) -> String {
        values.enumerated().reversed().reduce(statement.text) { text, value in
            let literal = value.element.wireText.map { "'" + $0.replacing("'", with: "''") + "'" } ?? "null"
            return text.replacing("$\(value.offset + 1)", with: literal)
        }
    }
}
