// SPDX-License-Identifier: Apache-2.0

extension SimulatedStores {
    /// The `apps:` of a configuration for these stores.
    package func appsConfiguration() -> String {
        let entries = configuration.apps.compactMap { app -> [String]? in
            if let keys = backend.keys.apps[app.id] { return ["- id: \(app.id)"] + appStoreEntry(app, keys) }
            guard let keys = backend.keys.play[app.id], let play = app.play else { return nil }
            return ["- id: \(app.id)"] + playEntry(app, as: play, keys: keys)
        }
        return "apps:\n" + entries.joined().map { ($0.hasPrefix("-") ? "  " : "    ") + $0 + "\n" }.joined()
    }

    /// What stands in the entry of either store.
    private var connection: [String] {
        [
            "ca_file: \(configuration.directory)/ca.pem", "http: \(configuration.http)",
            "requests_per_second: \(configuration.requestsPerSecond)", "max_in_flight: 64",
        ]
    }

    private func appStoreEntry(_ app: SimulatedApp, _ keys: StoreKeys.AppKeys) -> [String] {
        let lines =
            ["store: app_store", "bundle_id: \(app.bundleID)", "environment: \(app.environment.rawValue)"] + connection
        guard app.api == .server else {
            return lines + [
                "api: verify_receipt", "shared_secret_file: \(keys.secretFile)",
                "verify_receipt_url: \(baseURL)/verifyReceipt",
                "verify_receipt_sandbox_url: \(baseURL)/sandbox/verifyReceipt",
            ]
        }
        return lines + [
            "api: server", "app_apple_id: \(app.appAppleID)", "issuer_id: \(keys.issuerID)", "key_id: \(keys.keyID)",
            "private_key_file: \(keys.keyFile)", "root_certificate_file: \(configuration.directory)/store-root.der",
            "base_url: \(baseURL)", "sandbox_base_url: \(baseURL)/sandbox",
        ]
    }

    private func playEntry(_ app: SimulatedApp, as play: SimulatedApp.Play, keys: PlayKeys) -> [String] {
        var lines = ["store: google_play", "package_name: \(app.bundleID)", "api: \(play.api.rawValue)"] + connection
        lines += ["base_url: \(baseURL)", "credentials:"]
        switch play.grant {
        case .serviceAccount: lines.append("  service_account_file: \(keys.serviceAccountFile)")
        case .refreshToken:
            lines += [
                "  client_id: \(keys.clientID)", "  client_secret_file: \(keys.clientSecretFile)",
                "  refresh_token_file: \(keys.refreshTokenFile)",
            ]
        }
        lines += ["  token_url: \(baseURL)/token", "licence_key_file: \(keys.licenceKeyFile)"]
        guard play.publishes else { return lines }
        let subscription = PubSubRequestHandler.subscription(of: app.id)
        return lines + ["pubsub_url: \(baseURL)", "pubsub_subscription: \(subscription)"]
    }

    /// Registrations in the shape of `import subscriptions`.
    package static func jsonLines(_ registrations: [Registration]) throws -> String {
        try registrations.map { it in
            let line: WireObject = [
                "app_id": it.appID, "store_key": it.storeKey, "account_id": it.accountID, "product_id": it.productID,
                "environment": it.environment.rawValue, "country": it.country, "receipt": it.receipt,
                "expires_at": it.expiresAt.map(CivilTime.iso8601),
            ]
            return String(decoding: try line.bytes(), as: UTF8.self) + "\n"
        }.joined()
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
    /// The purchase of a token as the device got it, signed with the app's licence key; nil for a token nobody has.
    package func signedPurchase(ofToken token: String) throws -> SignedPlayPurchase? {
        guard let place = backend.play.place(of: token), let order = place.token.orders.first,
            let keys = backend.keys.play[place.app.id]
        else { return nil }
        let isPending = place.token.moments.first?.state == .pending
        let purchase: WireObject = [
            "orderId": order.id, "packageName": place.app.bundleID,
            "productId": order.mainProduct.identifier(in: place.app.bundleID),
            "purchaseTime": place.token.startedAt.milliseconds, "purchaseState": isPending ? 4 : 0,
            "purchaseToken": token, "autoRenewing": !place.token.isPrepaid && !place.token.isOneTime,
            "obfuscatedAccountId": place.customer.accountID,
        ]
        let data = try purchase.bytes()
        return SignedPlayPurchase(data: String(decoding: data, as: UTF8.self), signature: try keys.sign(data))
    }
}
