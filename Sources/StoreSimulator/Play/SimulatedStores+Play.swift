// SPDX-License-Identifier: Apache-2.0

import Foundation

extension SimulatedStores {
    /// One entry of `apps:` for an app of Google Play.
    func playConfiguration(_ app: SimulatedApp, _ play: SimulatedApp.Play) -> String {
        guard let keys = front.keys.play[app.id] else { return "" }
        var lines = [
            "  - id: \(app.id)", "    store: google_play", "    package_name: \(app.bundleID)",
            "    api: \(play.api.rawValue)", "    ca_file: \(configuration.directory)/ca.pem",
            "    http: \(configuration.http)", "    requests_per_second: \(configuration.requestsPerSecond)",
            "    max_in_flight: 64", "    base_url: \(baseURL)", "    credentials:",
        ]
        switch play.grant {
        case .serviceAccount: lines.append("      service_account_file: \(keys.serviceAccountFile)")
        case .refreshToken:
            lines += [
                "      client_id: \(keys.clientID)", "      client_secret_file: \(keys.clientSecretFile)",
                "      refresh_token_file: \(keys.refreshTokenFile)",
            ]
        }
        lines += ["      token_url: \(baseURL)/token", "    licence_key_file: \(keys.licenceKeyFile)"]
        if play.publishes {
            lines += [
                "    pubsub_url: \(baseURL)", "    pubsub_subscription: \(PubSubDesk.subscription(of: app.id))",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// What a device gets with a purchase, and hands to the app's backend.
package struct SignedPlayPurchase: Hashable, Sendable {
    /// The JSON, byte for byte as it was signed.
    package var data: String
    /// Base64 of an RSA SHA-1 signature.
    package var signature: String
}

extension SimulatedStores {
    private struct PurchaseData: Encodable {
        let orderId: String
        let packageName: String
        let productId: String
        let purchaseTime: Int64
        let purchaseState: Int
        let purchaseToken: String
        let autoRenewing: Bool
        let obfuscatedAccountId: String
    }

    /// The purchase of a token as the device got it, signed with the app's licence key; nil for a token nobody has.
    package func signedPurchase(ofToken token: String) throws -> SignedPlayPurchase? {
        guard let place = front.play.place(of: token), let order = place.token.orders.first,
            let keys = front.keys.play[place.app.id]
        else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        let isPending = place.token.moments.first?.state == .pending
        let data = try encoder.encode(
            PurchaseData(
                orderId: order.id, packageName: place.app.bundleID,
                productId: order.mainProduct.identifier(in: place.app.bundleID),
                purchaseTime: place.token.startedAt / 1_000, purchaseState: isPending ? 4 : 0, purchaseToken: token,
                autoRenewing: !place.token.isPrepaid && !place.token.isOneTime,
                obfuscatedAccountId: place.customer.accountID))
        return SignedPlayPurchase(
            data: String(decoding: data, as: UTF8.self), signature: try keys.sign(Array(data)))
    }
}
