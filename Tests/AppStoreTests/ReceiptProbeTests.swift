// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing

@testable import AppStore

/// What the answer to an empty receipt says: nothing of the receipt, everything of the secret and the store.
@Suite struct ReceiptProbeTests {
    private static func disposition(_ body: String, http: Int = 200) -> ResponseDisposition {
        ReceiptResponseClassifier(appID: AppID("acme-legacy"))
            .dispositionOfProbe(status: http, body: Array(body.utf8), retryAfter: nil, now: Instant(micros: 0))
    }

    @Test(arguments: [0, 21_002, 21_003, 21_010])
    func `a word about the receipt is a good answer, asked once`(status: Int) {
        guard case .accept = Self.disposition("{\"status\": \(status)}") else {
            Issue.record("\(status) is no answer")
            return
        }
    }

    @Test func `a wrong shared secret stops the app, and a store in trouble may be asked again`() {
        guard case .fail(let failure) = Self.disposition("{\"status\": 21004}") else {
            Issue.record("21004 is an answer")
            return
        }
        #expect(failure.kind == .credential && failure.message.contains("shared_secret_file"))
        guard case .refuseForNow = Self.disposition("{\"status\": 21005}") else {
            Issue.record("21005 is an answer")
            return
        }
        guard case .retry = Self.disposition("", http: 503) else {
            Issue.record("503 is an answer")
            return
        }
    }
}
