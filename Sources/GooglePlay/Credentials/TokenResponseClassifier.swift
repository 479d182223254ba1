// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores

/// Classifies the answers of the token endpoint: what may pass, and what is final for a credential.
struct TokenResponseClassifier: Sendable {
    /// A clock that differs by more makes assertions invalid.
    private static let longestSkew: Int64 = 60
    private static let passingStatuses: Set<Int> = [408, 429, 500, 503, 504]
    private static let passingErrors: Set<String> = ["internal_failure", "server_error", "temporarily_unavailable"]

    let grant: TokenGrant

    func disposition(of response: HTTPResponse, now: Instant) -> ResponseDisposition {
        let wait = response.headers["retry-after"].flatMap { RetryAfter.wait($0, nowMilliseconds: now.milliseconds) }
        return disposition(
            status: response.status, body: response.body, retryAfter: wait,
            skew: response.date.map { now.milliseconds / 1_000 - $0 } ?? 0)
    }

    /// `skew`: seconds that this machine's clock is ahead of the issuer's.
    func disposition(status: Int, body: [UInt8], retryAfter: Duration?, skew: Int64) -> ResponseDisposition {
        let said = TokenAnswer(json: body)
        if status == 200 {
            return said?.accessToken == nil ? .retry(after: nil, reason: "no_access_token", finally: .noToken) : .accept
        }
        if let error = said?.error, Self.passingErrors.contains(error) {
            return .retry(after: retryAfter, reason: "token_\(error)")
        }
        if Self.passingStatuses.contains(status) { return .retry(after: retryAfter, reason: "token_http_\(status)") }
        // Without an error's word it is not the issuer that speaks.
        guard (400..<500).contains(status), let error = said?.error else {
            return .fail(
                StoreFailure(
                    .transient, reason: "token_http_\(status)",
                    message: "The token endpoint answers \(status): no access token could be had."))
        }
        return .fail(refusal(error, subtype: said?.errorSubtype, skew: skew))
    }

    private func refusal(_ error: String, subtype: String?, skew: Int64) -> StoreFailure {
        let word = subtype.map { "\(error), \($0)" } ?? error
        let clock =
            abs(skew) > Self.longestSkew
            ? "This machine's clock is \(abs(skew)) s \(skew > 0 ? "ahead of" : "behind") Google's: set it right. " : ""
        let advice =
            switch error {
            case "invalid_grant": grant.causesOfInvalidGrant
            case "invalid_client", "unauthorized_client": grant.clientToCheck
            case "admin_policy_enforced": "An administrator of the organisation restricts this access: ask there."
            default: grant.clientToCheck
            }
        return StoreFailure(
            .credential, reason: error,
            message: "Google refuses the credentials (\(word)). \(clock)\(advice)")
    }
}

extension StoreFailure {
    static let noToken = StoreFailure(
        .transient, reason: "no_access_token", message: "The token endpoint answered without an access token.")
}
