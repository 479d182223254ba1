// SPDX-License-Identifier: Apache-2.0

package import Model

/// One Google Play app as its owner configured it.
package struct GooglePlayConfiguration: Sendable {
    /// Which of the store's interfaces is read.
    package enum API: String, Sendable, CaseIterable {
        /// `purchases.subscriptions`, the legacy reader.
        case v1
        /// `purchases.subscriptionsv2` and `orders`.
        case v2

        /// The warning for whoever configures it; nil: none.
        package var retirement: String? {
            switch self {
            case .v1:
                "Google shuts the older interface of Google Play (api: v1, purchases.subscriptions) down on 2027-08-31: "
                    + "set api: v2 before"
            case .v2: nil
            }
        }
    }

    /// Who asks, in the store's eyes.
    package enum Credentials: Sendable {
        /// A service account: the text of its JSON file.
        case serviceAccount(Secret)
        /// A person's consent, kept as a refresh token.
        case refreshToken(clientID: String, clientSecret: Secret, refreshToken: Secret)

        /// The Cloud project whose quota is drawn on: by its name, or the number that a client id begins with; nil where neither says.
        package var project: String? {
            switch self {
            case .serviceAccount(let file): return ServiceAccount.project(file)
            case .refreshToken(let clientID, _, _):
                let number = clientID.prefix { $0.isASCII && $0.isNumber }
                return number.isEmpty ? nil : String(number)
            }
        }
    }

    package var appID: AppID
    package var packageName: String
    package var api: API
    package var credentials: Credentials
    /// The whole URL that gives access tokens; nil is Google's.
    package var tokenURL: String?
    /// The public key of purchase signatures, base64 as the console shows it.
    package var licenceKey: String?
    /// Without a slash at the end.
    package var baseURL: String
    /// `projects/NAME/subscriptions/NAME`, where notifications are fetched from; nil: they are not.
    package var pubsubSubscription: String?
    /// Without a slash at the end; nil is Google's.
    package var pubsubURL: String?

    package init(
        appID: AppID, packageName: String, api: API = .v2, credentials: Credentials, tokenURL: String? = nil,
        licenceKey: String? = nil, baseURL: String = "https://androidpublisher.googleapis.com"
    ) {
        self.appID = appID
        self.packageName = packageName
        self.api = api
        self.credentials = credentials
        self.tokenURL = tokenURL
        self.licenceKey = licenceKey
        self.baseURL = baseURL
    }
}
