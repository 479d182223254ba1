// SPDX-License-Identifier: Apache-2.0

import Model

extension AppReader {
    static let googlePlayKeys = [
        "package_name", "credentials", "licence_key_file", "pubsub_subscription", "pubsub_url", "own_billing",
    ]
    private static let credentialKeys = [
        "service_account_file", "client_id", "client_secret_file", "refresh_token_file", "token_url",
    ]

    /// Nil only where something was found.
    func googlePlay() -> GooglePlaySettings? {
        let package = section.requiredText("package_name")
        let api = section.word("api", as: GooglePlaySettings.API.self) ?? .v2
        let licence = section.secret("licence_key_file", files)
        let base = section.url("base_url")
        let subscription = section.text("pubsub_subscription", being: "projects/NAME/subscriptions/NAME") { text in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            return parts.count == 4 && parts[0] == "projects" && parts[2] == "subscriptions" && !parts[1].isEmpty
                && !parts[3].isEmpty
        }
        let pubsub = section.url("pubsub_url")
        let ownBilling = section.text("own_billing", being: "true or false") { $0 == "true" || $0 == "false" }
        let tokens = credentialSection()
        guard let package, let tokens, let credentials = credentials(tokens) else { return nil }
        return GooglePlaySettings(
            packageName: package, api: api, credentials: credentials, tokenURL: tokens.url("token_url"),
            licenceKey: licence, baseURL: base, pubsubSubscription: subscription, pubsubURL: pubsub,
            hasOwnBilling: ownBilling == "true")
    }

    private func credentialSection() -> Section? {
        guard section.has("credentials") else {
            section.find("credentials", "is missing: a service_account_file, or client_id with its files")
            return nil
        }
        return section.section("credentials", keys: Self.credentialKeys)
    }

    private func credentials(_ tokens: Section) -> GooglePlaySettings.Credentials? {
        let grant = ["client_id", "client_secret_file", "refresh_token_file"]
        guard !tokens.has("service_account_file") else {
            tokens.refuse(grant, because: "cannot stand beside service_account_file")
            return tokens.secret("service_account_file", files).map(GooglePlaySettings.Credentials.serviceAccount)
        }
        let client = tokens.requiredText("client_id")
        let secret = tokens.requiredSecret("client_secret_file", files)
        let token = tokens.requiredSecret("refresh_token_file", files)
        guard let client, let secret, let token else { return nil }
        return .refreshToken(clientID: client, clientSecret: secret, refreshToken: token)
    }
}
