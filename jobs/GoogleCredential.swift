// SPDX-License-Identifier: Apache-2.0

import GooglePlay
import Model

/// What makes two Google Play apps' credentials one.
struct GoogleCredential: Hashable {
    private let secrets: [Secret]
    private let clientID: String?
    private let tokenURL: String?
    private let authorityFile: String?

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
