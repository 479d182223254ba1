// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores

/// A real-time developer notification as people may read it: out of its envelope, whose message id and time are beside
/// it as `message`, and without the tokens that open a purchase.
enum NotificationText {
    private static let cut: Set<String> = ["purchaseToken", "pendingRefundToken", "linkedPurchaseToken"]

    static func readable(_ notification: RawNotification) -> [UInt8]? {
        guard notification.source == .playRTDN else { return nil }
        let text = notification.payload.reveal()
        guard let (json, _) = try? PubSubEnvelope.open(text), var body = object(json) else { return nil }
        if var message = object(Array(text.utf8))?["message"] as? [String: Any] {
            message["data"] = nil
            body["message"] = message
        }
        let data = try? JSONSerialization.data(withJSONObject: without(body), options: [.sortedKeys])
        return data.map(Array.init)
    }

    private static func object(_ json: [UInt8]) -> [String: Any]? {
        (try? JSONSerialization.jsonObject(with: Data(json))) as? [String: Any]
    }

    private static func without(_ value: Any) -> Any {
        switch value {
        case let object as [String: Any]: object.filter { !cut.contains($0.key) }.mapValues(without)
        case let array as [Any]: array.map(without)
        default: value
        }
    }
}
