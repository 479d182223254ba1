// SPDX-License-Identifier: Apache-2.0

import GooglePlay
import Model
import Stores
import Synchronization

/// The access tokens of a run's apps: apps with the same credential share them, so that it is refreshed once for all.
final class SharedCredentials: Sendable {
    /// What makes two apps' credentials one.
    private struct Credential: Hashable {
        let secrets: [Secret]
        let clientID: String?
        let tokenURL: String?
        let authorityFile: String?

        init(_ configuration: GooglePlayConfiguration, _ app: AppConfiguration) {
            switch configuration.credentials {
            case .serviceAccount(let file):
                secrets = [file]
                clientID = nil
            case .refreshToken(let client, let clientSecret, let refreshToken):
                secrets = [clientSecret, refreshToken]
                clientID = client
            }
            tokenURL = configuration.tokenURL
            authorityFile = app.authorityFile
        }
    }

    private let known = Mutex<[Credential: AccessTokens]>([:])

    /// - Throws: `credential`, when the service account's file cannot be used.
    func tokens(
        of configuration: GooglePlayConfiguration, _ app: AppConfiguration, asking conversation: () -> Conversation
    ) throws(StoreFailure) -> AccessTokens {
        let credential = Credential(configuration, app)
        if let tokens = known.withLock({ $0[credential] }) { return tokens }
        let tokens = try configuration.tokens(through: conversation())
        known.withLock { $0[credential] = tokens }
        return tokens
    }
}
