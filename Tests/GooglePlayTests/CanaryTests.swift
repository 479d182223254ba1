// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import TestSupport
import Testing

@testable import GooglePlay

/// Nothing that opens a purchase, an account or a person's mail is left in what is kept or said.
@Suite(.hangLimit) struct CanaryTests {
    private static let personal: Object = [
        "profileId": "canary-1", "profileName": "canary-2", "emailAddress": "canary-3", "givenName": "canary-4",
        "familyName": "canary-5",
    ]

    private static let subscription = Play.subscription(
        "EXPIRED",
        [
            "subscribeWithGoogleInfo": personal, "linkedPurchaseToken": "token-canary-0",
            "outOfAppPurchaseContext": ["expiredPurchaseToken": "canary-6"],
            "canceledStateContext": [
                "userInitiatedCancellation": [
                    "cancelTime": "2026-03-02T00:00:00Z",
                    "cancelSurveyResult": ["reason": "CANCEL_SURVEY_REASON_OTHERS", "reasonUserInput": "canary-7"],
                ] as Object
            ] as Object,
        ])

    @Test func `archived bodies contain no person and no token, and are otherwise complete`() throws {
        let order = Play.order(["purchaseToken": "token-canary", "buyerAddress": Self.address])
        let linked = Play.subscription("EXPIRED", ["subscribeWithGoogleInfo": Self.personal])
        let reading = try Play.read(
            Self.subscription, orders: [order], linked: [linked], due: Play.due("token-canary"))
        #expect(reading.archive.map(\.endpoint) == ["subscription", "linked_subscription", "order"])
        let text = reading.archive.map(\.body).joined()
        #expect(!text.contains("canary"))
        for retained in [
            "CANCEL_SURVEY_REASON_OTHERS", "\"buyerCountry\":\"AT\"", "developerRevenueInBuyerCurrency", Play.base,
            "SUBSCRIPTION_STATE_EXPIRED",
        ] {
            #expect(text.contains(retained), "\(retained) is lost")
        }
    }

    @Test func `the legacy interface's archive contains none either`() throws {
        let answer = Play.changed(
            Self.personal,
            [
                "startTimeMillis": "1772323200000", "expiryTimeMillis": "1775001600000", "developerPayload": "canary-8",
                "linkedPurchaseToken": "token-canary-0", "orderId": Play.base,
                "cancelSurveyResult": ["cancelSurveyReason": 0, "userInputCancelReason": "canary-9"] as Object,
            ])
        let reading = try Play.read(answer, due: Play.due("token-canary"), api: .v1)
        #expect(reading.archive.first?.body.contains("canary") == false)
        #expect(reading.archive.first?.body.contains("1775001600000") == true)
    }

    @Test func `the content's hash knows what changed, not when it was asked or what was cut`() throws {
        func hash(_ changes: [String: (any Sendable)?]) throws -> String? {
            try Play.read(Play.subscription("ACTIVE", changes)).archive.first?.answerHash
        }
        let before = try hash([:])
        #expect(try hash(["etag": "e2", "subscribeWithGoogleInfo": Self.personal]) == before)
        #expect(try hash(["regionCode": "FR"]) != before)
    }

    @Test func `what is not an object is not archived`() {
        let document = StoreAnswer.Document(endpoint: "order", body: Array("[\"canary\"]".utf8))
        #expect(PlayArchive.document(of: document).body == "{}")
    }

    @Test(arguments: [400, 401, 403, 404, 409, 410, 429, 500])
    func `neither a failure nor a log line contains a token or a secret`(status: Int) async throws {
        let server = try PlayServer { request, _ in
            let text = "token-canary access-canary"
            return .init(
                status,
                Play.json(["error": ["message": text, "errors": [["reason": text, "message": text]]] as Object]),
                headers: [("X-Echo", request.path)])
        }
        let log = RecordedLog()
        let failure = try #require(try await server.ask([Play.due("token-canary")], log: log).first?.failure)
        #expect(!"\(failure) \(failure.reason) \(failure.message)".contains("canary"))
        #expect(!log.lines.contains { $0.contains("canary") })
    }

    private static let address: Object = [
        "buyerCountry": "AT", "buyerState": "canary-10", "buyerPostcode": "canary-11",
    ]
}
