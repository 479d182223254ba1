// SPDX-License-Identifier: Apache-2.0

import Stores

// Which setting is wrong where most of an app's answers end for the same reason.

extension AppStoreServer {
    func suspect(in reason: String) -> SuspectSetting? {
        if AppStoreErrorCode(reason: reason)?.disposition == .unknownHere { return .unknownIDs }
        return switch AnswerFault(rawValue: reason) {
        case .notVerified: .root
        case .malformedJSON, .notAboutRequest: .strangeAnswers("base_url")
        case let fault: .ofAnotherApp(fault)
        }
    }
}

extension VerifyReceipt {
    func suspect(in reason: String) -> SuspectSetting? {
        switch AnswerFault(rawValue: reason) {
        case .malformedJSON, .missingBundle: .strangeAnswers("verify_receipt_url")
        case let fault: .ofAnotherApp(fault)
        }
    }
}

extension SuspectSetting {
    fileprivate static let root = SuspectSetting(
        finding: "are not signed under the root certificate",
        advice: "root_certificate_file: it must be Apple Root CA - G3 (AppleRootCA-G3.cer)")

    fileprivate static let unknownIDs = SuspectSetting(
        finding: "say that the store does not know the id",
        advice: "bundle_id, key_id and issuer_id (they must be this app's own) and environment, and that what is "
            + "registered are original transaction ids of this app")

    /// A bundle of another app is a wrong `bundle_id`, also where the receipts are the foreign ones.
    fileprivate static func ofAnotherApp(_ fault: AnswerFault?) -> SuspectSetting? {
        switch fault {
        case .wrongBundle:
            SuspectSetting(finding: "are about another app", advice: "bundle_id, and whose purchases were registered")
        case .wrongAppAppleID: SuspectSetting(finding: "name another app_apple_id", advice: "app_apple_id")
        case .wrongEnvironment:
            SuspectSetting(
                finding: "are of another environment", advice: "environment, and the URLs of production and sandbox")
        case .malformedJSON, .missingBundle, .notAboutRequest, .notInReceipt, .notVerified, nil: nil
        }
    }

    fileprivate static func strangeAnswers(_ url: String) -> SuspectSetting {
        SuspectSetting(
            finding: "are not what the App Store sends",
            advice: "\(url), and what stands between this machine and the store (a proxy, a login page)")
    }
}
