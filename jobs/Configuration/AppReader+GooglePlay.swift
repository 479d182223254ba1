// SPDX-License-Identifier: Apache-2.0

import GooglePlay
import Model

extension AppReader {
    static let googlePlayKeys = [
        "package_name", "credentials", "licence_key_file", "pubsub_subscription", "pubsub_url", "own_billing",
    ]
    private static let credentialKeys = [
        "service_account_file", "client_id", "client_secret_file", "refresh_token_file", "token_url",
    ]

    /// The configuration once the app's id is known; nil only where something was found.
    func googlePlay() -> ((AppID) -> GooglePlayConfiguration)? {
        let package = section.requiredText("package_name")
        let api = section.word("api", as: GooglePlayConfiguration.API.self) ?? .v2
        let licence = section.secret("licence_key_file", files)
        let base = section.url("base_url")
        let subscription = section.text("pubsub_subscription", being: "projects/NAME/subscriptions/NAME") { text in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            return parts.count == 4 && parts[0] == "projects" && parts[2] == "subscriptions" && !parts[1].isEmpty
                && !parts[3].isEmpty
        }
        let pubsub = section.url("pubsub_url")
        let tokens = credentialSection()
        guard let package, let tokens, let credentials = credentials(tokens) else { return nil }
        let tokenURL = tokens.url("token_url")
        return { id in
            var configuration = GooglePlayConfiguration(
                appID: id, packageName: package, api: api, credentials: credentials, tokenURL: tokenURL,
                licenceKey: licence?.reveal())
            configuration.baseURL = base ?? configuration.baseURL
            (configuration.pubsubSubscription, configuration.pubsubURL) = (subscription, pubsub)
            return configuration
        }
    }

    private func credentialSection() -> Section? {
        guard section.has("credentials") else {
            section.find("credentials", "is missing: a service_account_file, or client_id with its files")
            return nil
        }
        return section.section("credentials", keys: Self.credentialKeys)
    }

    private func credentials(_ tokens: Section) -> GooglePlayConfiguration.Credentials? {
        let grant = ["client_id", "client_secret_file", "refresh_token_file"]
        guard !tokens.has("service_account_file") else {
            tokens.refuse(grant, because: "cannot stand beside service_account_file")
            return tokens.secret("service_account_file", files).map(GooglePlayConfiguration.Credentials.serviceAccount)
        }
        let client = tokens.requiredText("client_id")
        let secret = tokens.requiredSecret("client_secret_file", files)
        let token = tokens.requiredSecret("refresh_token_file", files)
        guard let client, let secret, let token else { return nil }
        return .refreshToken(clientID: client, clientSecret: secret, refreshToken: token)
    }
}
