// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Signing
import Stores

/// A service account as its JSON file describes it: who asks, and the key that proves it.
struct ServiceAccount: Sendable {
    private struct File: JSONReadable {
        let type: String?
        let email: String?
        let key: String?
        let keyID: String?
        let tokenURL: String?
        let project: String?

        init(_ fields: Fields) {
            type = fields.text("type")
            email = fields.text("client_email")
            key = fields.text("private_key")
            keyID = fields.text("private_key_id")
            tokenURL = fields.text("token_uri")
            project = fields.text("project_id")
        }
    }

    private struct Claims: Encodable {
        let iss: String
        let scope: String
        let aud: String
        let iat: Int64
        let exp: Int64
    }

    static let storeScope = "https://www.googleapis.com/auth/androidpublisher"
    static let googleTokenURL = "https://oauth2.googleapis.com/token"
    /// The issuer refuses an assertion from the future, and clocks differ.
    private static let backdated: Int64 = 60
    /// The longest the issuer takes.
    private static let validFor: Int64 = 3_600

    private let email: String
    private let keyID: String?
    private let signer: RS256Signer
    private let tokenURL: String
    private let scope: String

    /// `configuredURL`: the token URL the owner named, if any.
    ///
    /// `scope`: what the tokens open. Throws `credential`, with what is wrong with the file.
    init(
        json: Secret, configuredURL: String?, scope: String = storeScope, appID: AppID
    ) throws(StoreFailure) {
        guard let file = Self.file(json) else {
            throw .serviceAccount(appID, "is not the JSON that Google Cloud hands out for a service account's key")
        }
        guard file.type ?? "service_account" == "service_account" else {
            throw .serviceAccount(appID, "is of another type than service_account")
        }
        guard let email = file.email, let key = file.key else {
            throw .serviceAccount(appID, "lacks client_email or private_key")
        }
        // A file that came from somewhere could send the signed assertion anywhere.
        guard [nil, Self.googleTokenURL, configuredURL].contains(file.tokenURL) else {
            throw .serviceAccount(
                appID,
                "names a token_uri that is neither Google's (\(Self.googleTokenURL)) nor the configured token_url. "
                    + "Take the file from Google Cloud again, or set credentials.token_url to the same address")
        }
        self.email = email
        self.keyID = file.keyID
        self.scope = scope
        self.tokenURL = configuredURL ?? Self.googleTokenURL
        do throws(SigningError) {
            signer = try RS256Signer(pem: key.utf8.span)
        } catch {
            throw .serviceAccount(appID, "holds a private_key that cannot be used: \(error)")
        }
    }

    /// The Cloud project of the account, nil where its file does not say.
    static func project(_ json: Secret) -> String? { file(json)?.project }

    private static func file(_ json: Secret) -> File? {
        var bytes = json.withBytes { unsafe $0.withUnsafeBufferPointer { unsafe Array($0) } }
        defer { bytes.wipe() }
        return File(json: bytes)
    }

    /// What proves the account's identity for the next minutes: made again each time, in whole seconds.
    ///
    /// `now`: by the wall clock.
    func assertion(now: Instant) throws(StoreFailure) -> Secret {
        let issuedAt = now.milliseconds / 1_000 - Self.backdated
        let claims = Claims(iss: email, scope: scope, aud: tokenURL, iat: issuedAt, exp: issuedAt + Self.validFor)
        do throws(SigningError) {
            return Secret(
                keyID == nil
                    ? try JSONWebToken.encode(header: ["typ": "JWT"], claims: claims, signer: signer)
                    : try JSONWebToken.encode(
                        header: ["typ": "JWT", "kid": keyID ?? ""], claims: claims, signer: signer))
        } catch {
            throw StoreFailure(.credential, reason: "signing", message: "No assertion could be signed: \(error)")
        }
    }
}

extension StoreFailure {
    fileprivate static func serviceAccount(_ appID: AppID, _ fault: String) -> StoreFailure {
        StoreFailure(
            .credential, reason: "service_account", message: "App \(appID) stops: service_account_file \(fault).")
    }
}
