// SPDX-License-Identifier: Apache-2.0

import Foundations
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
    private static let archivedOfAddress: Set<String> = ["buyerCountry"]

    static func document(of source: StoreAnswer.Document) -> ArchivedDocument {
        let body = body(of: source)
        return ArchivedDocument(
            endpoint: source.endpoint, body: String(decoding: body, as: UTF8.self),
            answerHash: ContentHash.of(body, without: ["etag"]))
    }

    /// What is no JSON object is not stored: its content is unknown.
    private static func body(of source: StoreAnswer.Document) -> [UInt8] {
        guard let document = source.json, document.root.members != nil else { return Array("{}".utf8) }
        return document.compact(document.root) { member, parent in
            if parent == "buyerAddress" { return archivedOfAddress.contains(member.name) }
            return member.name == "buyerAddress" ? member.value.members != nil : !cut.contains(member.name)
        }
    }
}
