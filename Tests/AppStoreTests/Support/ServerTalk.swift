// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import TestSupport
import Testing

@testable import AppStore

/// Asks a server that the test plays about one subscription, and says which paths were asked for.
enum ServerTalk {
    typealias Answering = @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Answer

    static let unknown = LoopbackServer.Answer(404, #"{"errorCode":4040010,"errorMessage":"No."}"#)

    /// Asks, and reads what was answered.
    static func ask(
        _ due: DueSubscription, answer: @escaping Answering
    ) async throws -> (result: Result<StoreAnswer, StoreFailure>, paths: [String], store: any Store) {
        let server = try LoopbackServer(answer)
        let store = try Acme.configuration(url: server.url).store(clock: { Acme.now })
        let inquiry = try #require(store.inquiries(for: [due]).first)
        do throws(StoreFailure) {
            let answer = try await store.ask(inquiry, through: Acme.client())
            return (.success(answer), server.requests.map(\.path), store)
        } catch {
            return (.failure(error), server.requests.map(\.path), store)
        }
    }

    static func info(_ row: [String: Any]) throws -> String {
        let signed = try SigningStore.shared.get().sign(row)
        return String(decoding: try Rows.json(["signedTransactionInfo": signed]), as: UTF8.self)
    }

    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
