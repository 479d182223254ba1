// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Signing
import Stores

/// A notification of the App Store as people may read it: signed parts replaced by what they say, secrets and the
/// identifiers of devices cut.
enum NotificationText {
    /// What opens a purchase history, proves an origin, or names a person's device.
    private static let cut: Set<String> = [
        "password", "latest_receipt", "latest_expired_receipt", "receipt-data", "unique_identifier",
        "unique_vendor_identifier", "externalPurchaseId",
    ]
    /// Signed members and the names of what they say.
    private static let signed = [
        "signedTransactionInfo": "transaction", "signedRenewalInfo": "renewal",
        "signedAppTransactionInfo": "appTransaction",
    ]

    static func readable(_ notification: RawNotification) -> [UInt8]? {
        let text = notification.payload.reveal()
        let json: [UInt8]?
        switch notification.source {
        case .appStoreV1: json = Array(text.utf8)
        case .appStoreV2: json = (try? NotificationV2Reader.compact(text)).flatMap(payload)
        case .playRTDN: json = nil
        }
        guard let object = json.flatMap(object),
            let data = try? JSONSerialization.data(withJSONObject: decoded(object), options: [.sortedKeys])
        else { return nil }
        return Array(data)
    }

    private static func decoded(_ value: Any) -> Any {
        switch value {
        case let array as [Any]: return array.map(decoded)
        case let object as [String: Any]:
            var result: [String: Any] = [:]
            for (name, member) in object where !cut.contains(name) {
                if let plain = signed[name] {
                    let said = (member as? String).flatMap(payload).flatMap(self.object)
                    result[plain] = said.map(decoded)
                } else {
                    result[name] = decoded(member)
                }
            }
            return result
        default: return value
        }
    }

    private static func object(_ json: [UInt8]) -> [String: Any]? {
        (try? JSONSerialization.jsonObject(with: Data(json))) as? [String: Any]
    }

    private static func payload(_ compact: String) -> [UInt8]? {
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 ? Base64URL.decode(parts[1]) : nil
    }
}
