// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores
import TestSupport
import Testing

@testable import GooglePlay

@Suite struct ResponseClassifierTests {
    private let classifier = PlayResponseClassifier(appID: Play.appID)

    private func disposition(
        _ status: Int, _ reason: String? = nil, domain: String = "androidpublisher", body: String? = nil,
        retryAfter: Duration? = nil
    ) -> ResponseDisposition {
        let said = reason.map { PlayServer.refusal(status, $0, domain: domain).body }
        return classifier.disposition(
            status: status, body: body.map { Array($0.utf8) } ?? said ?? [], retryAfter: retryAfter, now: Play.now)
    }

    @Test func `an object is an answer and anything else is asked for again`() {
        guard case .accept = disposition(200, body: " {} ") else {
            Issue.record("refused")
            return
        }
        guard case .retry(_, "malformed_json", let final) = disposition(200, body: "<html>") else {
            Issue.record("accepted")
            return
        }
        #expect(final?.kind == .unreadable)
    }

    @Test(
        arguments: [
            (400, "invalidValue", .notFound, "malformed"), (400, "invalid", .notFound, "malformed"),
            (400, "purchaseTokenDoesNotMatchPackageName", .notFound, "another package"),
            (400, "purchaseTokenMismatch", .notFound, "this product"),
            (400, "productNotOwnedByUser", .notFound, "not owned"), (400, "whoKnows", .notFound, "refuses the request"),
            (404, "notFound", .notFound, "does not know"), (404, "purchaseTokenNotFound", .notFound, "does not know"),
            (410, "subscriptionPurchaseNoLongerAvailable", .gone, "gone"),
            (410, "purchaseTokenNoLongerValid", .gone, "gone"),
            (410, "somethingNew", .gone, "gone"), (401, "permissionDenied", .credential, "24 to 48 hours"),
            (403, "userInsufficientPermission", .credential, "24 to 48 hours"),
            (403, "forbidden", .credential, "Play Console permissions"),
            (401, "authError", .credential, "clock"), (404, "applicationNotFound", .credential, "package_name"),
        ] as [(Int, String, StoreFailure.Kind, String)])
    func `B11: a refusal is classified by its status first`(
        status: Int, reason: String, kind: StoreFailure.Kind, words: String
    ) throws {
        let failure = try #require(disposition(status, reason).failure)
        #expect(failure.kind == kind)
        #expect(failure.message.contains(words))
        #expect(!failure.message.contains("canary") && !failure.message.contains("token-1"))
    }

    @Test(arguments: ["accessNotConfigured", "SERVICE_DISABLED"])
    func `an interface that is not enabled is a missing permission, whatever its domain`(reason: String) {
        let failure = disposition(403, reason, domain: "usageLimits").failure
        #expect(failure?.kind == .credential && failure?.message.contains("is enabled") == true)
    }

    @Test(
        arguments: [
            ("rateLimitExceeded", "androidpublisher"), ("userRateLimitExceeded", "androidpublisher"),
            ("quotaExceeded", "androidpublisher"), ("limitOfTheDay", "usageLimits"),
        ])
    func `a quota's 403 slows everybody down`(reason: String, domain: String) {
        guard case .tooMany(.seconds(7)) = disposition(403, reason, domain: domain, retryAfter: .seconds(7)) else {
            Issue.record("not a quota")
            return
        }
    }

    /// 13:00 and 23:59:50 in California, seven hours behind, and the midnight before a day of 23 hours.
    @Test(
        arguments: [
            ("2026-06-10T20:00:00Z", 11 * 3_600), ("2026-06-11T06:59:50Z", 10), ("2026-03-08T08:00:00Z", 23 * 3_600),
        ] as [(String, Int64)])
    func `a quota of the day closes the endpoint until the day is over in California`(now: String, seconds: Int64) {
        for status in [403, 429] {
            let body = PlayServer.refusal(status, "dailyLimitExceeded", domain: "usageLimits").body
            let disposition = classifier.disposition(
                status: status, body: body, retryAfter: .seconds(7), now: Play.time(now))
            guard case .tooMany(.seconds(seconds)) = disposition else {
                Issue.record("\(disposition)")
                continue
            }
        }
    }

    /// At 13:00 in California, eleven hours before midnight.
    @Test(
        arguments: [
            (nil, 11 * 3_600), (.seconds(11 * 3_600 - 1), 11 * 3_600), (.seconds(20 * 3_600), 20 * 3_600),
        ] as [(Duration?, Int64)])
    func `a wait that the store asks for beyond the day is honoured, whichever limit of the day it names`(
        retryAfter: Duration?, seconds: Int64
    ) {
        for reason in ["dailyLimitExceeded", "dailyLimitExceededUnreg"] {
            let body = PlayServer.refusal(403, reason, domain: "usageLimits").body
            let disposition = classifier.disposition(
                status: 403, body: body, retryAfter: retryAfter, now: Play.time("2026-06-10T20:00:00Z"))
            guard case .tooMany(.seconds(seconds)) = disposition else {
                Issue.record("\(reason): \(disposition)")
                continue
            }
        }
    }

    @Test func `the newer form of a missing permission is understood too`() {
        let body =
            #"{"error":{"code":403,"message":"no","status":"PERMISSION_DENIED","details":[{"reason":"NEW_ONE"}]}}"#
        #expect(disposition(403, body: body).failure?.kind == .credential)
    }

    @Test func `a 429 is a quota's`() {
        guard case .tooMany(nil) = disposition(429) else {
            Issue.record("not a quota")
            return
        }
    }

    @Test(arguments: [408, 409, 500, 502, 503])
    func `what passes is asked again, not before the store says so`(status: Int) {
        guard
            case .refuseForNow(.seconds(3), "http_\(status)") = disposition(
                status, "backendError", retryAfter: .seconds(3))
        else {
            Issue.record("\(status) is final")
            return
        }
    }

    @Test(arguments: [301, 400, 403, 404])
    func `what does not come from the store is never the purchase's fault, nor the app's`(status: Int) {
        guard case .retry = disposition(status, body: "<html>proxy</html>") else {
            Issue.record("\(status)")
            return
        }
    }

    @Test func `a 403 with an unknown reason stops nothing`() {
        guard case .refuseForNow(_, "http_403") = disposition(403, "fullMoon") else {
            Issue.record("final")
            return
        }
    }
}

extension ResponseDisposition {
    var failure: StoreFailure? {
        if case .fail(let failure) = self { failure } else { nil }
    }
}
