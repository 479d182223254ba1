// SPDX-License-Identifier: Apache-2.0

/// The bodies with which Google refuses.
enum GoogleError {
    static func answer(
        _ status: Int, reason: String, _ message: String, domain: String = "androidpublisher", word: String? = nil
    ) -> StoreResponse {
        let detail: WireObject = ["message": message, "domain": domain, "reason": reason]
        let failure: WireObject = ["code": status, "message": message, "errors": [detail], "status": word]
        return .refusal(status, ["error": failure])
    }

    static let notFound = answer(404, reason: "notFound", "The requested resource was not found.", word: "NOT_FOUND")
    static let gone = answer(
        410, reason: "subscriptionPurchaseNoLongerAvailable",
        "The subscription purchase is no longer available for query because it has been expired for too long.")
    static let invalidToken = answer(400, reason: "invalid", "Invalid Value", word: "INVALID_ARGUMENT")
    static let wrongProduct = answer(
        400, reason: "purchaseTokenMismatch", "The purchase token does not match the subscription ID.")
    static let backend = answer(503, reason: "backendError", "Backend Error", domain: "global", word: "UNAVAILABLE")

    /// The access token is unknown, or no longer in force.
    static let badCredentials = unauthorized(
        answer(401, reason: "authError", "Invalid Credentials", domain: "global", word: "UNAUTHENTICATED"))
    /// The account may not read this app; its answer carries the same header as a bad token's.
    static let permissionDenied = unauthorized(
        answer(
            401, reason: "permissionDenied",
            "The current user has insufficient permissions to perform the requested operation."))

    private static func unauthorized(_ answer: StoreResponse) -> StoreResponse {
        var refusal = answer
        refusal.headers["WWW-Authenticate"] = "Bearer realm=\"https://accounts.google.com/\", error=invalid_token"
        return refusal
    }

    /// The day's quota is used up: a minute's wait helps nobody.
    static let overDailyQuota = answer(
        403, reason: "dailyLimitExceeded", "Daily Limit Exceeded", domain: "usageLimits", word: "PERMISSION_DENIED")

    /// Over the quota, in either of the store's two ways.
    static func overQuota(_ way: PlayQuotaRefusal) -> StoreResponse {
        let message = "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute'."
        return switch way {
        case .tooMany:
            answer(429, reason: "rateLimitExceeded", message, domain: "global", word: "RESOURCE_EXHAUSTED")
        case .forbidden:
            answer(403, reason: "rateLimitExceeded", message, domain: "usageLimits", word: "PERMISSION_DENIED")
        }
    }
}

/// How the store refuses a request over its quota.
package enum PlayQuotaRefusal: String, Hashable, Sendable, Codable, CaseIterable {
    /// 429, RESOURCE_EXHAUSTED.
    case tooMany
    /// 403, rateLimitExceeded of domain usageLimits.
    case forbidden
}
