// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing

/// What the owner of a Play app got from Google: a service account's key, or a client and a person's consent.
struct PlayKeys: Sendable {
    let clientEmail: String
    let keyID: String
    let clientID: String
    let clientSecret: String
    let refreshToken: String
    let serviceAccountFile: String
    let clientSecretFile: String
    let refreshTokenFile: String
    /// Base64 of the public key of purchase signatures, as the console shows it.
    let licenceKeyFile: String
    private let tool: OpenSSLTool
    /// The service account's file, in the tool's folder.
    private let serviceAccount: String
    private let publicKeyFile: String
    private let privateKey: String
    private let licencePrivateKeyFile: String

    /// Makes RSA keys and secrets; the service account's file is written when the token address is known.
    init(for app: SimulatedApp, by tool: OpenSSLTool) throws {
        self.tool = tool
        let name = "play-\(app.id)"
        (serviceAccount, publicKeyFile) = ("\(name).json", "\(name).pub.pem")
        let licenceKey = "\(name)-licence"
        try tool.provide(name) { [publicKeyFile] in
            try Self.makeKey("\(name).key", publicKey: publicKeyFile, in: "PEM", by: tool)
            try Self.makeKey("\(licenceKey).key", publicKey: "\(licenceKey).der", in: "DER", by: tool)
        }
        let key = try tool.read("\(name).key")
        let digest = { (use: String) in SHA256.digest(Array(use.utf8) + key).hexDigits }
        privateKey = String(decoding: key, as: UTF8.self)
        keyID = String(digest("key id").prefix(40))
        clientEmail = "nightly@\(app.id).iam.gserviceaccount.com"
        clientID = "1234567890-\(app.id).apps.googleusercontent.com"
        clientSecret = "GOCSPX-" + digest("client secret").prefix(28)
        refreshToken = "1//0" + digest("refresh token")
        licencePrivateKeyFile = "\(licenceKey).key"
        let licence = Data(try tool.read("\(licenceKey).der")).base64EncodedString()
        serviceAccountFile = tool.path(of: serviceAccount)
        clientSecretFile = try Self.write(clientSecret, to: "\(name)-client-secret", by: tool)
        refreshTokenFile = try Self.write(refreshToken, to: "\(name)-refresh-token", by: tool)
        licenceKeyFile = try Self.write(licence, to: "\(name)-licence", by: tool)
    }

    private static func makeKey(_ file: String, publicKey: String, in form: String, by tool: OpenSSLTool) throws {
        try tool.makeKey(file, by: "RSA", option: "rsa_keygen_bits:2048", publicKey: publicKey, in: form)
    }

    /// Returns where the line stands.
    private static func write(_ line: String, to name: String, by tool: OpenSSLTool) throws -> String {
        try tool.writeSecret(line + "\n", to: name)
        return tool.path(of: name)
    }

    /// Writes the service account's file, readable by its owner alone.
    func writeServiceAccount(tokenURL: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let account: WireObject = [
            "type": "service_account", "client_email": clientEmail, "private_key_id": keyID,
            "private_key": privateKey, "token_uri": tokenURL,
        ]
        try tool.writeSecret(String(decoding: try encoder.encode(account), as: UTF8.self), to: serviceAccount)
    }

    /// Base64 of the licence key's RSA SHA-1 signature over these bytes.
    ///
    /// The `openssl` program signs, not our adapter.
    func sign(_ bytes: [UInt8]) throws -> String {
        try tool.withScratchFiles { message, signature in
            try tool.write(bytes, to: message)
            try tool.run("dgst", "-sha1", "-sign", licencePrivateKeyFile, "-out", signature, message)
            return Data(try tool.read(signature)).base64EncodedString()
        }
    }

    /// Whether the service account's key made this RS256 signature.
    ///
    /// The `openssl` program judges, not our adapter.
    func verifies(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        let verdict: Void? = try? tool.withScratchFiles { messageFile, signatureFile in
            try tool.write(message, to: messageFile)
            try tool.write(signature, to: signatureFile)
            try tool.run("dgst", "-sha256", "-verify", publicKeyFile, "-signature", signatureFile, messageFile)
        }
        return verdict != nil
    }
}
