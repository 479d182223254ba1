// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing

@testable import AppStore

@Suite struct ErrorCodeTests {
    private let classifier = ServerResponseClassifier(appID: AppID("acme-ios"))

    private func disposition(
        _ status: Int, code: Int64? = nil, body: String? = nil, retryAfter: String? = nil, date: Int64? = nil
    ) -> ResponseDisposition {
        let body = body ?? code.map { "{\"errorCode\":\($0),\"errorMessage\":\"Canary 4711.\"}" } ?? ""
        return classifier.disposition(
            of: ServerResponseClassifier.Evidence(
                status: status, body: Array(body.utf8), retryAfter: retryAfter, date: date),
            now: Acme.now)
    }

    /// Code by code from Apple's list of errors.
    @Test(
        arguments: [
            4_040_002, 4_040_004, 4_040_006, 5_000_000, 5_000_001,
        ] as [Int64])
    func `B8: what Apple calls retryable is asked again, whatever its HTTP status`(code: Int64) {
        guard case .refuseForNow(nil, let reason) = disposition(code < 5_000_000 ? 404 : 500, code: code) else {
            Issue.record("\(code) is not retried")
            return
        }
        #expect(reason == "error_\(code)")
    }

    @Test(
        arguments: [
            // The id is malformed, or does not exist, in either spelling.
            (400, 4_000_006, .notFound), (400, 4_000_008, .notFound), (404, 4_040_001, .notFound),
            (404, 4_040_005, .notFound), (404, 4_040_010, .notFound), (404, 4_040_019, .notFound),
            (400, 4_000_048, .notFound), (400, 4_000_185, .notFound), (400, 4_000_187, .notFound),
            // A shape of request that the store refuses, and codes that are unknown so far.
            (400, 4_000_000, .notFound), (404, 4_049_999, .notFound),
            // The app itself.
            (400, 4_000_002, .credential), (404, 4_040_003, .credential),
            // The cursor.
            (400, 4_000_005, .unreadable),
        ] as [(Int, Int64, StoreFailure.Kind)])
    func `B8: a final code fails in its own way`(status: Int, code: Int64, kind: StoreFailure.Kind) {
        let failure = disposition(status, code: code).failure
        #expect(failure?.kind == kind)
        #expect(failure?.reason == "error_\(code)")
        #expect(failure?.message.contains("4711") == false)
    }

    @Test func `B8: too many waits until the UNIX time in milliseconds that the store names`() {
        let disposition = disposition(429, code: 4_290_000, retryAfter: "\(Rows.signed + 2_500)")
        guard case .tooMany(let wait) = disposition else {
            Issue.record("\(disposition)")
            return
        }
        #expect(wait == .milliseconds(2_500))
        // By the store's clock, where the answer states it: ours may be wrong.
        let later = self.disposition(
            429, code: 4_290_000, retryAfter: "\(Rows.signed + 2_500)", date: Rows.signed / 1_000 - 60)
        guard case .tooMany(.seconds(62.5)) = later else {
            Issue.record("\(later)")
            return
        }
    }

    @Test func `B8: a code made later is classified by the status it begins with`() {
        guard case .refuseForNow = disposition(500, code: 5_000_099), case .tooMany = disposition(429, code: 4_290_001)
        else {
            Issue.record("families are not recognised")
            return
        }
    }

    @Test(arguments: [302, 403, 404, 500, 502, 503])
    func `B11: an answer without a code is never the id's fault`(status: Int) {
        guard case .retry(_, "http_\(status)", nil) = disposition(status, body: "<html>gateway</html>") else {
            Issue.record("\(status)")
            return
        }
    }

    @Test func `a 410 is for ever`() {
        #expect(disposition(410).failure?.kind == .gone)
    }

    @Test func `B11: a 401 is about the credential and says what to check`() throws {
        let failure = try #require(disposition(401, date: Rows.signed / 1_000 + 30).failure)
        #expect(failure.kind == .credential)
        for word in ["acme-ios", "key_id", "issuer_id", "bundle_id", "In-App Purchase key", "released"] {
            #expect(failure.message.contains(word))
        }
        #expect(!failure.message.contains("clock"))
    }

    @Test(arguments: [(-95, "95 s ahead of"), (95, "95 s behind")] as [(Int64, String)])
    func `B11: a 401 names a clock that is more than a minute off`(skew: Int64, words: String) throws {
        let failure = try #require(disposition(401, date: Rows.signed / 1_000 + skew).failure)
        #expect(failure.message.contains("clock is \(words) the store's"))
    }

    @Test(arguments: ["", "<html></html>", "{\"data\":[", "[]"])
    func `an answer that is no JSON object is asked again and in the end unreadable`(body: String) {
        guard case .retry(_, "malformed_json", let final) = disposition(200, body: body) else {
            Issue.record("accepted")
            return
        }
        #expect(final?.kind == .unreadable)
    }
}

extension ResponseDisposition {
    var failure: StoreFailure? {
        if case .fail(let failure) = self { failure } else { nil }
    }
}
