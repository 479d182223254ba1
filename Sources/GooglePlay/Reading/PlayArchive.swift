// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores

/// Makes the archived form of a document: without what identifies the customer, and without purchase tokens, which open
/// the purchase to whoever holds them.
enum PlayArchive {
    private static let cut: Set<String> = [
        "subscribeWithGoogleInfo", "reasonUserInput", "userInputCancelReason", "emailAddress", "givenName",
        "familyName", "profileId", "profileName", "developerPayload", "purchaseToken", "linkedPurchaseToken",
        "expiredPurchaseToken",
    ]
    /// The only member of an address that is kept.
    private static let keptOfAddress: Set<String> = ["buyerCountry"]

    static func document(of source: StoreAnswer.Document) -> ArchivedDocument {
        let body = body(of: source.body)
        return ArchivedDocument(
            endpoint: source.endpoint, body: String(decoding: body, as: UTF8.self),
            contentHash: ContentHash.of(body, without: ["etag"]))
    }

    /// Members in alphabetical order. What is no JSON object is not kept: nobody knows what is in it.
    private static func body(of bytes: [UInt8]) -> [UInt8] {
        guard let value = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
            let json = try? JSONSerialization.data(
                withJSONObject: without(value), options: [.sortedKeys, .withoutEscapingSlashes])
        else { return Array("{}".utf8) }
        return Array(json)
    }

    private static func without(_ value: Any) -> Any {
        switch value {
        case var object as [String: Any]:
            if let address = object["buyerAddress"] as? [String: Any] {
                object["buyerAddress"] = address.filter { keptOfAddress.contains($0.key) }
            } else {
                object["buyerAddress"] = nil
            }
            return object.filter { !cut.contains($0.key) }.mapValues(without)
        case let array as [Any]: return array.map(without)
        default: return value
        }
    }
}
