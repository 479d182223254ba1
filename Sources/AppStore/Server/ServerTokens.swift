// SPDX-License-Identifier: Apache-2.0

import Model
import Signing
import Stores
import Synchronization

/// The tokens the App Store Server API takes instead of a password: one per bundle id, used again for a few minutes.
///
/// Its times are the wall clock's, whatever the run's logical now is.
final class ServerTokens: Sendable {
    struct Claims: Encodable {
        let iss: String
        let iat: Int64
        let exp: Int64
        let aud = "appstoreconnect-v1"
        let bid: String
    }

    private struct Issued {
        let token: Secret
        let renewAt: Int64
    }

    /// The store refuses a token from the future, and clocks differ.
    private static let backdated: Int64 = 60
    private static let validFor: Int64 = 300
    private static let usedFor: Int64 = 240

    private let issuerID: String
    private let keyID: String
    private let bundleID: String
    private let signer: ES256Signer
    private let issued = Mutex<Issued?>(nil)

    /// - Throws: `credential`, when there is no key.
    init(_ server: AppStoreConfiguration.Server, bundleID: String, appID: AppID) throws(StoreFailure) {
        self.issuerID = server.issuerID
        self.keyID = server.keyID
        self.bundleID = bundleID
        guard let signer = server.signer else {
            throw StoreFailure(
                .credential, reason: "private_key", message: "App \(appID) stops: private_key_file was not read")
        }
        self.signer = signer
    }

    /// A token that is good for at least a minute more.
    ///
    /// `now`: seconds since the Unix epoch, by the wall clock.
    func token(now: Int64) throws(StoreFailure) -> Secret {
        if let issued = issued.withLock({ $0 }), now < issued.renewAt, now >= issued.renewAt - Self.usedFor {
            return issued.token
        }
        let claims = Claims(iss: issuerID, iat: now - Self.backdated, exp: now + Self.validFor, bid: bundleID)
        do throws(SigningError) {
            let text = try JSONWebToken.encode(header: ["kid": keyID, "typ": "JWT"], claims: claims, signer: signer)
            let fresh = Issued(token: Secret(text), renewAt: now + Self.usedFor)
            issued.withLock { $0 = fresh }
            return fresh.token
        } catch {
            throw StoreFailure(.credential, reason: "signing", message: "No token could be signed: \(error)")
        }
    }
}
