// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import HTTP
import Model
import Stores

/// Classifies the answers of the Android Publisher API for one app: by the status first, by the reason second.
///
/// An unknown reason never stops the app.
struct PlayResponseClassifier: Sendable {
    private static let quotaReasons: Set<String> = [
        "rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "RATE_LIMIT_EXCEEDED",
    ]
    /// A limit of the day, not of the minute.
    private static let dailyReasons: Set<String> = ["dailyLimitExceeded", "dailyLimitExceededUnreg"]
    private static let permissionReasons: Set<String> = [
        "userInsufficientPermission", "forbidden", "permissionDenied", "insufficientPermissions",
        "insufficientPermission", "accessNotConfigured", "projectNotLinked", "SERVICE_DISABLED",
        "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
    ]

    let appID: AppID

    func disposition(of response: HTTPResponse, now: Instant) -> ResponseDisposition {
        let wait = response.headers["retry-after"].flatMap { RetryAfter.wait($0, nowMilliseconds: now.milliseconds) }
        return disposition(status: response.status, body: response.body, retryAfter: wait, now: now)
    }

    func disposition(status: Int, body: [UInt8], retryAfter: Duration?, now: Instant) -> ResponseDisposition {
        if status == 200 { return body.looksLikeObject ? .accept : .malformedByPlay }
        let error = PlayErrorBody(json: body)
        let word = error?.reasons.first
        if status == 403 || status == 429, let error, !Self.dailyReasons.isDisjoint(with: error.reasons) {
            let rest = QuotaDay.rest(at: now)
            return .tooMany(retryAfter: max(retryAfter ?? .zero, rest))
        }
        switch status {
        case 401: return .fail(unauthorized(error))
        case 410: return .fail(gone(word))
        case 429: return .tooMany(retryAfter: retryAfter)
        case 403:
            if let error { return forbidden(error, retryAfter) }
        case 400, 404:
            if error?.reasons.contains("applicationNotFound") == true { return .fail(unknownApp(status)) }
            if error != nil { return .fail(unknownHere(status, word)) }
        default: break
        }
        // 408, 409, 5xx, and whatever else may be a proxy's word: never the purchase's fault.
        let reason = "http_\(status)"
        return error == nil
            ? .retry(after: retryAfter, reason: reason) : .refuseForNow(after: retryAfter, reason: reason)
    }

    /// Two kinds of 401 with the same header: only the reason distinguishes them.
    private func unauthorized(_ error: PlayErrorBody?) -> StoreFailure {
        guard error?.reasons.contains("permissionDenied") != true else {
            return missingPermission("401 permissionDenied")
        }
        return StoreFailure(
            .credential, because: .tokenRefused,
            message: "App \(appID) stops: Google Play refuses an access token that was just made (401). Check this "
                + "machine's clock, and that the credentials were granted the scope "
                + "https://www.googleapis.com/auth/androidpublisher.")
    }

    private func forbidden(_ error: PlayErrorBody, _ retryAfter: Duration?) -> ResponseDisposition {
        if !Self.quotaReasons.isDisjoint(with: error.reasons) { return .tooMany(retryAfter: retryAfter) }
        // An interface that is not enabled stands in the domain of the usage limits, too.
        let lacksPermission = !Self.permissionReasons.isDisjoint(with: error.reasons)
        if !lacksPermission, error.domains.contains("usageLimits") { return .tooMany(retryAfter: retryAfter) }
        if lacksPermission || error.status == "PERMISSION_DENIED" {
            return .fail(missingPermission("403 \(error.reasons.first ?? "forbidden")"))
        }
        return .refuseForNow(after: retryAfter, reason: "http_403")
    }

    private func missingPermission(_ word: String) -> StoreFailure {
        StoreFailure(
            .credential, reason: "permission",
            message: "App \(appID) stops: Google Play says that its credentials lack permission (\(word)). Check that "
                + "package_name is this app's, that the Google Play Android Developer API is enabled in the Cloud "
                + "project, and that the account has, for this app, the Play Console permissions to view app "
                + "information, to view financial data, orders and cancellation survey responses, and to manage "
                + "orders and subscriptions. A permission that was just granted takes 24 to 48 hours to apply.")
    }

    private func unknownApp(_ status: Int) -> StoreFailure {
        StoreFailure(
            .credential, reason: "unknown_app",
            message:
                "App \(appID) stops: Google Play knows no app of this package (\(status) applicationNotFound). Check "
                + "package_name, and that the app was published at least once.")
    }

    private func gone(_ word: String?) -> StoreFailure {
        StoreFailure(
            .gone, reason: word ?? "http_410",
            message: "Google Play says the purchase is gone (410): its token ended for good, 60 days after the expiry.")
    }

    private func unknownHere(_ status: Int, _ word: String?) -> StoreFailure {
        let meaning =
            switch word {
            case "purchaseTokenDoesNotMatchPackageName": "the purchase token belongs to another package"
            case "purchaseTokenMismatch": "the purchase token does not belong to this product"
            case "productNotOwnedByUser": "the product is not owned by the purchase's user"
            case "purchaseTokenNotFound": "it does not know the purchase token"
            case "invalid", "invalidValue": "the purchase token or order id is malformed or not the store's"
            default: status == 404 ? "it does not know the purchase" : "it refuses the request"
            }
        return StoreFailure(
            .notFound, reason: word ?? "http_\(status)",
            message: "Google Play answers \(status)\(word.map { " \($0)" } ?? ""): \(meaning).")
    }
}

extension ResponseDisposition {
    /// An answer that is none; asked again in case something on the way cut it.
    static let malformedByPlay = ResponseDisposition.retry(
        after: nil, reason: AnswerFault.malformedJSON.rawValue,
        finally: StoreFailure(
            .malformedJSON, message: "Google Play's answer is not a JSON object."))
}

extension StoreFailure {
    static let unreadableByPlay = StoreFailure(
        .malformedJSON, message: "Google Play's answer is not the JSON it documents.")
}
