// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import TestSupport
import Testing

@testable import AppStore

@Suite(.hangLimit) struct ReceiptAskTests {
    private func ask(
        _ due: DueSubscription, answer: @escaping @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Answer
    ) async throws -> (answer: Result<StoreAnswer, StoreFailure>, requests: [LoopbackServer.Request]) {
        let server = try LoopbackServer(answer)
        let store = try Acme.receipts(url: server.url).store(clock: { Acme.now })
        let inquiry = try #require(store.inquiries(for: [due]).first)
        do throws(StoreFailure) {
            return (.success(try await store.ask(inquiry, through: Acme.client())), server.requests)
        } catch {
            return (.failure(error), server.requests)
        }
    }

    private func due(environment: PurchaseEnvironment? = .production) -> DueSubscription {
        Acme.due(environment: environment, receipt: Receipt(id: 5, data: Secret("MII/canary+==")))
    }

    /// Status by status from Apple's table.
    @Test(
        arguments: [
            (0, nil, .accept), (21_006, nil, .accept), (21_002, nil, .retry), (21_005, nil, .retry),
            (21_009, nil, .retry),
            (21_003, nil, .refused), (21_010, nil, .accountGone), (21_004, nil, .wrongSharedSecret),
            (21_000, nil, .ourMistake), (21_001, nil, .ourMistake), (21_007, nil, .askSandbox),
            (21_008, nil, .askProduction),
            (21_100, true, .retry), (21_199, true, .retry), (21_150, false, .refused), (21_104, nil, .refused),
            (77, nil, .refused),
        ] as [(Int64, Bool?, ReceiptStatus.Disposition)])
    func `A2: each status has its disposition`(
        status: Int64, isRetryable: Bool?, disposition: ReceiptStatus.Disposition
    ) {
        #expect(ReceiptStatus.disposition(of: status, isRetryable: isRetryable) == disposition)
    }

    @Test(arguments: [
        "\"is-retryable\":1", "\"is-retryable\":\"1\"", "\"is_retryable\":true", "\"is-retryable\":\"true\"",
    ])
    func `A2: whether to try again is read in every spelling`(member: String) async throws {
        let (answer, requests) = try await ask(due()) { _, number in
            .init(200, number == 1 ? "{\"status\":21104,\(member)}" : "{\"status\":0}")
        }
        #expect(answer.failure == nil)
        #expect(requests.count == 2)
    }

    @Test func `A2: the request contains receipt, secret and the wish for all transactions`() async throws {
        let (answer, requests) = try await ask(due()) { _, _ in
            .init(200, "{\"status\":0}", headers: [("Content-Type", "text/plain")])
        }
        let taken = try answer.get()
        #expect(taken.environment == .production)
        #expect(requests.map(\.path) == ["/verifyReceipt"])
        let body = try JSONSerialization.jsonObject(with: Data(try #require(requests.first?.body))) as? [String: Any]
        #expect(body?.count == 3)
        #expect(body?["receipt-data"] as? String == "MII/canary+==")
        #expect(body?["password"] as? String == "shared-canary")
        #expect(body?["exclude-old-transactions"] as? Bool == false)
    }

    @Test func `A2: a sandbox receipt is sent on with the same body`() async throws {
        let (answer, requests) = try await ask(due(environment: nil)) { request, _ in
            .init(200, request.path.hasPrefix("/sandbox") ? "{\"status\":0}" : "{\"status\":21007}")
        }
        #expect(try answer.get().environment == .sandbox)
        #expect(requests.map(\.path) == ["/verifyReceipt", "/sandbox/verifyReceipt"])
        #expect(Set(requests.map(\.body)).count == 1)
    }

    @Test func `A2: a production receipt of a sandbox subscription goes back to production`() async throws {
        let (answer, requests) = try await ask(due(environment: .sandbox)) { request, _ in
            .init(200, request.path.hasPrefix("/sandbox") ? "{\"status\":21008}" : "{\"status\":0}")
        }
        #expect(try answer.get().environment == .production)
        #expect(requests.map(\.path) == ["/sandbox/verifyReceipt", "/verifyReceipt"])
    }

    @Test func `A2: a receipt that both send away is set aside`() async throws {
        let (answer, requests) = try await ask(due()) { request, _ in
            .init(200, request.path.hasPrefix("/sandbox") ? "{\"status\":21008}" : "{\"status\":21007}")
        }
        #expect(answer.failure?.kind == .unreadable)
        #expect(requests.count == 2)
    }

    @Test func `B11: a wrong shared secret stops the app and says where the right one is`() async throws {
        let (answer, requests) = try await ask(due()) { _, _ in .init(200, "{\"status\":21004}") }
        let failure = try #require(answer.failure)
        #expect(failure.kind == .credential)
        #expect(failure.message.contains("shared_secret_file"))
        #expect(!failure.message.contains("canary"))
        #expect(requests.count == 1)
    }

    @Test(
        arguments: [(21_003, .notFound), (21_010, .notFound), (21_000, .unreadable), (21_005, .refusedForNow)]
            as [(Int, StoreFailure.Kind)])
    func `a status fails in its own way`(status: Int, kind: StoreFailure.Kind) async throws {
        let (answer, _) = try await ask(due()) { _, _ in .init(200, "{\"status\":\(status)}") }
        #expect(answer.failure?.kind == kind)
        #expect(answer.failure?.reason == "status_\(status)")
    }

    @Test func `B1: subscriptions on one receipt are one inquiry`() throws {
        let store = try Acme.receipts().store()
        let one = Receipt(id: 1, data: Secret("a"))
        let two = Receipt(id: 2, data: Secret("b"))
        let due = [("11", one), ("12", two), ("13", one), ("14", nil), ("15", nil)].map { id, receipt in
            Acme.due(id, receipt: receipt)
        }
        let groups = store.inquiries(for: due).map { $0.subscriptions.map { $0.storeKey.reveal() } }
        #expect(groups == [["11", "13"], ["12"], ["14"], ["15"]])
    }

    @Test func `a subscription without receipt cannot be asked about`() async throws {
        let (answer, requests) = try await ask(Acme.due()) { _, _ in .init() }
        #expect(answer.failure?.reason == "no_receipt")
        #expect(requests.isEmpty)
    }
}
