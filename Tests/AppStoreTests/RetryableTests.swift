// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing

@testable import AppStore

/// `is-retryable`, as the documents spell it, and `is_retryable`, as real answers do; a boolean, a number or a text.
@Suite struct RetryableTests {
    private static let names = ["is-retryable", "is_retryable"]
    private static let yes = ["true", "\"true\"", "\"TRUE\"", "1", "\"1\"", "1.0"]
    private static let no = ["false", "\"false\"", "0", "\"0\"", "null", "\"\"", "\"maybe\"", "2", "[1]", "{}"]
    /// Both ends of the internal errors, one that was seen, and two that are undocumented.
    private static let codes: [Int64] = [21_100, 21_104, 21_199, 21_200, 77_777]

    private func disposition(_ body: String) -> ResponseDisposition {
        ReceiptResponseClassifier(appID: AppID("acme-ios")).disposition(
            status: 200, body: Array(body.utf8), retryAfter: nil, now: Acme.now)
    }

    @Test(arguments: names, yes)
    func `A2: an internal error is asked again where the store says so, in either spelling and every type`(
        name: String, value: String
    ) {
        for code in Self.codes {
            guard case .refuseForNow(nil, "status_\(code)") = disposition("{\"status\":\(code),\"\(name)\":\(value)}")
            else {
                Issue.record("\(code) is final")
                continue
            }
        }
    }

    @Test(arguments: names, no)
    func `A2: an internal error is final where the store does not say that it passes`(name: String, value: String) {
        for body in Self.codes.flatMap({ ["{\"status\":\($0),\"\(name)\":\(value)}", "{\"status\":\($0)}"] }) {
            #expect(disposition(body).failure?.kind == .notFound, "\(body)")
        }
    }

    /// A code that says by itself what it is does not change its mind.
    @Test(arguments: names, yes + no)
    func `A2: is-retryable changes no other status`(name: String, value: String) {
        let kinds: [(Int64, StoreFailure.Kind)] = [
            (21_000, .unreadable), (21_001, .unreadable), (21_003, .notFound), (21_004, .credential),
            (21_010, .notFound),
        ]
        for (code, kind) in kinds {
            #expect(disposition("{\"status\":\(code),\"\(name)\":\(value)}").failure?.kind == kind, "\(code)")
        }
        for code in [0, 21_006, 21_007, 21_008] {
            guard case .accept = disposition("{\"status\":\(code),\"\(name)\":\(value)}") else {
                Issue.record("\(code) is not taken")
                continue
            }
        }
        for code in [21_002, 21_005, 21_009] {
            guard case .refuseForNow = disposition("{\"status\":\(code),\"\(name)\":\(value)}") else {
                Issue.record("\(code) is final")
                continue
            }
        }
    }

    /// Where both are there the documented one is read first.
    @Test func `A2: of the two spellings side by side the documented one counts`() {
        guard case .refuseForNow = disposition(#"{"status":21104,"is-retryable":1,"is_retryable":false}"#) else {
            Issue.record("final")
            return
        }
        #expect(disposition(#"{"status":21104,"is-retryable":0,"is_retryable":true}"#).failure != nil)
    }
}
