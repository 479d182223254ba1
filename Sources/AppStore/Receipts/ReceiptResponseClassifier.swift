// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores

/// Classifies the answers of `verifyReceipt` for one app.
///
/// They are JSON whatever their content type says.
struct ReceiptResponseClassifier: Sendable {
    let appID: AppID

    func disposition(of response: HTTPResponse, now: Instant) -> ResponseDisposition {
        disposition(
            status: response.status, body: response.body, retryAfter: response.headers["retry-after"], now: now)
    }

    func disposition(status: Int, body: [UInt8], retryAfter: String?, now: Instant) -> ResponseDisposition {
        guard status == 200 else {
            let wait = retryAfter.flatMap { RetryAfter.wait($0, nowMilliseconds: now.milliseconds) }
            return status == 429 ? .tooMany(retryAfter: wait) : .retry(after: wait, reason: "http_\(status)")
        }
        guard let body = ReceiptVerdictBody(json: body), let code = body.status
        else { return .malformed }
        return disposition(ofCode: code, isRetryable: body.isRetryable)
    }

    private func disposition(ofCode code: Int64, isRetryable: Bool?) -> ResponseDisposition {
        let reason = "status_\(code)"
        switch ReceiptStatus.disposition(of: code, isRetryable: isRetryable) {
        case .accept, .askSandbox, .askProduction: return .accept
        case .retry: return .refuseForNow(after: nil, reason: reason)
        case .refused:
            return .fail(
                StoreFailure(.notFound, reason: reason, message: "The App Store refuses the receipt (\(code))."))
        case .accountGone:
            return .fail(
                StoreFailure(
                    .notFound, reason: reason,
                    message: "The App Store no longer has the account of this receipt (\(code))."))
        case .ourMistake:
            return .fail(
                StoreFailure(
                    .unreadable, reason: reason, message: "The App Store did not understand the request (\(code))."))
        case .wrongSharedSecret:
            return .fail(
                StoreFailure(
                    .credential, reason: reason,
                    message: "App \(appID) stops: the App Store refuses its shared secret (21004). Put the "
                        + "app-specific shared secret of App Store Connect into shared_secret_file; making a new one "
                        + "there ends the old one."))
        }
    }
}
