// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// What an access token is given for.
enum TokenGrant: Sendable {
    case serviceAccount(ServiceAccount)
    case refreshToken(clientID: String, clientSecret: Secret, refreshToken: Secret)

    /// The form that asks for a token now.
    func form(now: Instant) throws(StoreFailure) -> [(name: String, value: String)] {
        switch self {
        case .serviceAccount(let account):
            [
                ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
                ("assertion", try account.assertion(now: now).reveal()),
            ]
        case .refreshToken(let clientID, let clientSecret, let refreshToken):
            [
                ("grant_type", "refresh_token"), ("client_id", clientID), ("client_secret", clientSecret.reveal()),
                ("refresh_token", refreshToken.reveal()),
            ]
        }
    }

    /// Every known reason for `invalid_grant`, and what to do.
    var causesOfInvalidGrant: String {
        switch self {
        case .serviceAccount:
            "Either this machine's clock is wrong (Google then speaks of a short-lived token), or the key was removed "
                + "or disabled, the service account was deleted or disabled, or an administrator's policy restricts "
                + "it. Check the clock first, then the account and its keys in Google Cloud; a new key goes into "
                + "service_account_file."
        case .refreshToken:
            "Known causes: the account's owner revoked it; it was not used for six months; it was issued while the "
                + "OAuth consent screen was in testing (such tokens live 7 days) or for a limited time; more than 100 "
                + "live tokens of one account and client push out the oldest; an administrator's policy or the "
                + "session control of Google Cloud (invalid_rapt) wants a new sign-in; it was issued to another "
                + "client; the client or the account was deleted; or this machine's clock is wrong (short-lived "
                + "token). Check the clock, publish the consent screen, let the account consent again and put the new "
                + "token into refresh_token_file; a service account knows none of these limits."
        }
    }

    /// What to check when the client itself is refused.
    var clientToCheck: String {
        switch self {
        case .serviceAccount:
            "Check that service_account_file belongs to an account that still exists and that the Google Play Android "
                + "Developer API is enabled in its project."
        case .refreshToken:
            "Check that client_id and client_secret_file belong together, that the client still exists, and that "
                + "refresh_token_file was issued to this client."
        }
    }
}
