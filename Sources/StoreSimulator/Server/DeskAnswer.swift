// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the store's counter hands back.
struct DeskAnswer: Sendable {
    var status: Int
    var type = "application/json"
    var headers: [String: String] = [:]
    var body: [UInt8]

    static func json(_ body: some Encodable, status: Int = 200) throws -> DeskAnswer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return DeskAnswer(status: status, body: Array(try encoder.encode(body)))
    }

    /// JSON that calls itself text, as verifyReceipt's does.
    static func text(_ body: some Encodable) throws -> DeskAnswer {
        var answer = try json(body)
        answer.type = "text/plain"
        return answer
    }

    static func failure(_ status: Int, _ failure: ServerAnswers.Failure) -> DeskAnswer {
        (try? json(failure, status: status)) ?? DeskAnswer(status: 500, body: [])
    }

    static let unauthorized = DeskAnswer(status: 401, body: [])
}
