// SPDX-License-Identifier: Apache-2.0

import Foundations
import HTTP
import Model
import Stores

/// Reads an app's subscriptions from the receipts its backend handed in, through the legacy `verifyReceipt`.
struct VerifyReceipt: Store {
    /// The name of the only document of an answer.
    static let documentName = "verify_receipt"
    /// The reason of a subscription that has no receipt.
    static let noReceipt = "no_receipt"

    private struct Body: Encodable {
        private enum CodingKeys: String, CodingKey {
            case receipt = "receipt-data"
            case password
            case excludesOldTransactions = "exclude-old-transactions"
        }

        let receipt: String
        let password: String
        let excludesOldTransactions = false
    }

    let appID: AppID
    let kind = StoreKind.appStore
    let refundWatchDays = RefundWatch.appStoreDays
    let configuration: AppStoreConfiguration
    let receipts: AppStoreConfiguration.Receipts
    let classifier: ReceiptResponseClassifier
    /// The wall clock.
    let clock: @Sendable () -> Instant

    init(
        _ configuration: AppStoreConfiguration, receipts: AppStoreConfiguration.Receipts,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.appID = configuration.appID
        self.configuration = configuration
        self.receipts = receipts
        self.classifier = ReceiptResponseClassifier(appID: configuration.appID)
        self.clock = clock
    }

    /// One for each receipt, whatever number of subscriptions is read from it, in the order of coming.
    func inquiries(for due: [DueSubscription]) -> [Inquiry] {
        var groups: [[DueSubscription]] = []
        var places: [Int64: Int] = [:]
        for subscription in due {
            if let receipt = subscription.receipt?.id, let place = places[receipt] {
                groups[place].append(subscription)
            } else {
                if let receipt = subscription.receipt?.id { places[receipt] = groups.count }
                groups.append([subscription])
            }
        }
        return groups.map(Inquiry.init)
    }

    func ask(_ inquiry: Inquiry, through client: ThrottledClient) async throws(StoreFailure) -> StoreAnswer {
        guard let receipt = inquiry.subscriptions.lazy.compactMap(\.receipt).first else { throw .noReceipt }
        let body = try self.body(for: receipt)
        let first = firstEnvironment(of: inquiry)
        let answer = try await post(body, in: first, through: client)
        guard let other = Self.otherEnvironment(answer.response.body, askedIn: first) else {
            return self.answer(to: inquiry, answer)
        }
        let second = try await post(body, in: other, through: client)
        if Self.otherEnvironment(second.response.body, askedIn: other) != nil { throw .sentBackAndForth }
        return self.answer(to: inquiry, second)
    }

    func read(_ answer: StoreAnswer) throws(UnreadableAnswer) -> Reading {
        var reader = ReceiptReader(answer: answer, bundleID: configuration.bundleID)
        return try reader.read()
    }

    /// Production, unless all that is read from the receipt is known to be of the sandbox.
    private func firstEnvironment(of inquiry: Inquiry) -> PurchaseEnvironment {
        inquiry.subscriptions.allSatisfy { ($0.environment ?? configuration.environment) == .sandbox }
            ? .sandbox : .production
    }

    private func post(
        _ body: [UInt8], in environment: PurchaseEnvironment, through client: ThrottledClient
    ) async throws(StoreFailure) -> (environment: PurchaseEnvironment, response: HTTPResponse) {
        let (classifier, clock) = (classifier, clock)
        let request = request(body, in: environment)
        let response = try await client.send(request, to: AppStoreEndpoints.verifyReceipt(environment)) {
            classifier.disposition(of: $0, now: clock())
        }
        return (environment, response)
    }

    func request(_ body: [UInt8], in environment: PurchaseEnvironment) -> HTTPRequest {
        HTTPRequest(
            method: .post, url: environment == .production ? receipts.productionURL : receipts.sandboxURL,
            route: "/verifyReceipt", headers: [("content-type", "application/json")], body: body)
    }

    private func answer(
        to inquiry: Inquiry, _ answer: (environment: PurchaseEnvironment, response: HTTPResponse)
    ) -> StoreAnswer {
        let document = StoreAnswer.Document(endpoint: Self.documentName, body: answer.response.body)
        let answeredAt = answer.response.date.map { Instant(milliseconds: $0 * 1_000) } ?? clock()
        return StoreAnswer(
            inquiry: inquiry, environment: answer.environment, documents: [document], answeredAt: answeredAt)
    }

    func body(for receipt: Receipt) throws(StoreFailure) -> [UInt8] {
        let body = Body(receipt: receipt.data.reveal(), password: receipts.sharedSecret.reveal())
        guard let json = try? JSONText.encode(body) else { throw .noReceipt }
        return json
    }

    /// Where the store sends the receipt to; nil when it has answered itself.
    private static func otherEnvironment(
        _ body: [UInt8], askedIn environment: PurchaseEnvironment
    ) -> PurchaseEnvironment? {
        let said = ReceiptVerdictBody(json: body)
        switch ReceiptStatus.disposition(of: said?.status ?? 0, isRetryable: nil) {
        case .askSandbox: return .sandbox
        case .askProduction: return .production
        default: return nil
        }
    }
}

extension StoreFailure {
    fileprivate static let noReceipt = StoreFailure(
        .notFound, reason: VerifyReceipt.noReceipt,
        message: "No receipt is stored for this subscription, and its app is read by receipts: register it with one.")

    fileprivate static let sentBackAndForth = StoreFailure(
        .unreadable, reason: "environments_disagree",
        message: "Production sends the receipt to the sandbox and the sandbox sends it back.")
}
