// SPDX-License-Identifier: Apache-2.0

import Foundation

extension SimulatedStores {
    /// The `apps:` of a configuration for these stores.
    package func appsConfiguration() -> String {
        "apps:\n" + configuration.apps.map(appConfiguration).joined()
    }

    private func appConfiguration(_ app: SimulatedApp) -> String {
        if let play = app.play { return playConfiguration(app, play) }
        guard let keys = front.keys.apps[app.id] else { return "" }
        let directory = configuration.directory
        var lines = [
            "  - id: \(app.id)", "    store: app_store", "    bundle_id: \(app.bundleID)",
            "    environment: \(app.environment.rawValue)", "    ca_file: \(directory)/ca.pem",
            "    http: \(configuration.http)", "    requests_per_second: \(configuration.requestsPerSecond)",
            "    max_in_flight: 64",
        ]
        switch app.api {
        case .server:
            lines += [
                "    api: server", "    app_apple_id: \(app.appAppleID)", "    issuer_id: \(keys.issuerID)",
                "    key_id: \(keys.keyID)", "    private_key_file: \(keys.keyFile)",
                "    root_certificate_file: \(directory)/store-root.der", "    base_url: \(baseURL)",
                "    sandbox_base_url: \(baseURL)/sandbox",
            ]
        case .play: break
        case .receipts:
            lines += [
                "    api: verify_receipt", "    shared_secret_file: \(keys.secretFile)",
                "    verify_receipt_url: \(baseURL)/verifyReceipt",
                "    verify_receipt_sandbox_url: \(baseURL)/sandbox/verifyReceipt",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Registrations in the shape of `import subscriptions`.
    package static func jsonLines(_ registrations: [Registration]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try registrations.map { String(decoding: try encoder.encode(ImportLine($0)), as: UTF8.self) + "\n" }
            .joined()
    }
}

/// One line of `import subscriptions`.
private struct ImportLine: Encodable {
    let app_id: String
    let store_key: String
    let account_id: String
    let product_id: String
    let environment: String
    let expires_at: String?
    let country: String?
    let receipt: String?

    init(_ registration: Registration) {
        app_id = registration.appID
        store_key = registration.storeKey
        account_id = registration.accountID
        product_id = registration.productID
        environment = registration.environment.rawValue
        expires_at = registration.expiresAt.map(CivilTime.iso8601)
        country = registration.country
        receipt = registration.receipt
    }
}
