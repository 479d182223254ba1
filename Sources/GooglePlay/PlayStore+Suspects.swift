// SPDX-License-Identifier: Apache-2.0

import Stores

extension PlayStore {
    /// Which setting is wrong where most of the app's answers end for the same reason.
    func suspect(in reason: String) -> SuspectSetting? {
        switch reason {
        case "purchaseTokenDoesNotMatchPackageName":
            SuspectSetting(finding: "say that the purchase belongs to another package", advice: "package_name")
        case "notFound", "purchaseTokenNotFound", "invalid", "invalidValue", "http_404", "http_400":
            SuspectSetting(
                finding: "say that the store does not know the purchase",
                advice: "package_name, and that what is registered are purchase tokens of this app")
        case AnswerFault.malformedJSON.rawValue:
            SuspectSetting(
                finding: "are not what Google Play sends",
                advice: "base_url, and what stands between this machine and the store (a proxy, a login page)")
        default: nil
        }
    }
}
