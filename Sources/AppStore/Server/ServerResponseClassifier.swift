// SPDX-License-Identifier: Apache-2.0

import Foundations
import HTTP
import Model
import Stores

/// Classifies the answers of the App Store Server API for one app.
struct ServerResponseClassifier: Sendable {
    /// What of an answer counts.
    struct Evidence {
        let status: Int
        let body: [UInt8]
        let retryAfter: String?
        /// The store's clock, in seconds since the Unix epoch.
        let date: Int64?
    }

    /// A clock that differs by more makes tokens invalid.
    private static let longestSkew: Int64 = 60

    let appID: AppID

    func disposition(of response: HTTPResponse, now: Instant) -> ResponseDisposition {
        let evidence = Evidence(
            status: response.status, body: response.body, retryAfter: response.headers["retry-after"],
            date: response.date)
        return disposition(of: evidence, now: now)
    }

    func disposition(of evidence: Evidence, now: Instant) -> ResponseDisposition {
        switch evidence.status {
        case 200: return evidence.body.looksLikeObject ? .accept : .malformed
        case 401: return .fail(refusedCredential(evidence, now: now))
        case 410:
            return .fail(
                StoreFailure(.gone, reason: "http_410", message: "The App Store says the subscription is gone (410)."))
        default: break
        }
        // An absolute time is the store's: counted by the store's clock where we know it.
        let clock = evidence.date.map { $0 * 1_000 } ?? now.milliseconds
        let wait = evidence.retryAfter.flatMap { RetryAfter.wait($0, nowMilliseconds: clock) }
        if let body = AppStoreErrorBody(json: evidence.body), let code = body.code {
            return disposition(ofCode: code, wait: wait)
        }
        // Without a code it is not the API that speaks (a proxy, a load balancer): never the id's fault.
        return evidence.status == 429
            ? .tooMany(retryAfter: wait) : .retry(after: wait, reason: "http_\(evidence.status)")
    }

    private func disposition(ofCode code: Int64, wait: Duration?) -> ResponseDisposition {
        let reason = AppStoreErrorCode.reason(of: code)
        switch AppStoreErrorCode.disposition(of: code) {
        case .retry: return .refuseForNow(after: wait, reason: reason)
        case .tooMany: return .tooMany(retryAfter: wait)
        case .unknownHere:
            return .fail(
                StoreFailure(
                    .notFound, reason: reason, message: "The App Store does not know the transaction id (\(code))."))
        case .refused:
            return .fail(
                StoreFailure(.notFound, reason: reason, message: "The App Store refuses the request (\(code))."))
        case .staleCursor:
            return .fail(
                StoreFailure(
                    .unreadable, reason: reason,
                    message: "The App Store does not accept the place its own history was read to (\(code))."))
        case .wrongApp:
            return .fail(
                StoreFailure(
                    .credential, reason: reason,
                    message: "App \(appID) stops: the App Store does not know it (\(code)). Check bundle_id, and that "
                        + "the key belongs to the team that owns the app."))
        }
    }

    /// A 401 has no body and never means that an id is bad.
    private func refusedCredential(_ evidence: Evidence, now: Instant) -> StoreFailure {
        let skew = evidence.date.map { now.milliseconds / 1_000 - $0 } ?? 0
        let clock =
            abs(skew) > Self.longestSkew
            ? "This machine's clock is \(abs(skew)) s \(skew > 0 ? "ahead of" : "behind") the store's: set it right. "
            : ""
        return StoreFailure(
            .credential, reason: "http_401",
            message: "App \(appID) stops: the App Store refuses its credentials (401). \(clock)"
                + "Check key_id, issuer_id, bundle_id, that private_key_file is an In-App Purchase key (not one of "
                + "the App Store Connect API), and that the app is released: before that, production refuses it.")
    }
}

extension ResponseDisposition {
    /// An answer that is none; asked again in case something on the way cut it.
    static let malformed = ResponseDisposition.retry(
        after: nil, reason: AnswerFault.malformedJSON.rawValue,
        finally: StoreFailure(
            .malformedJSON, message: "The App Store's answer is not a JSON object."))
}
