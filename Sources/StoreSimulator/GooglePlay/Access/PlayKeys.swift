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
    private let publicKeyFile: String
    private let privateKey: String
    private let licencePrivateKeyFile: String

    /// Makes an RSA key and secrets; the service account's file is written when the token address is known.
    init(for app: SimulatedApp, by tool: OpenSSLTool) throws {
        self.tool = tool
        let name = "play-\(app.id)"
        let keyFile = "\(name).key"
        publicKeyFile = "\(name).pub.pem"
        try tool.run("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", keyFile)
        try tool.protect(keyFile)
        try tool.run("pkey", "-in", keyFile, "-pubout", "-out", publicKeyFile)
        privateKey = String(decoding: try tool.read(keyFile), as: UTF8.self)
        let digest = { (use: String) throws -> String in
            Hex.encode(SHA256.digest(Array(use.utf8) + (try tool.read(keyFile))))
        }
        keyID = String(try digest("key id").prefix(40))
        clientEmail = "nightly@\(app.id).iam.gserviceaccount.com"
        clientID = "1234567890-\(app.id).apps.googleusercontent.com"
        clientSecret = "GOCSPX-" + (try digest("client secret").prefix(28))
        refreshToken = "1//0" + (try digest("refresh token"))
        serviceAccountFile = "\(tool.directory)/\(name).json"
        clientSecretFile = "\(tool.directory)/\(name)-client-secret"
        refreshTokenFile = "\(tool.directory)/\(name)-refresh-token"
        (licencePrivateKeyFile, licenceKeyFile) = try Self.makeLicence(name, by: tool)
        for (secret, file) in [(clientSecret, "\(name)-client-secret"), (refreshToken, "\(name)-refresh-token")] {
            try tool.write(secret + "\n", to: file)
            try tool.protect(file)
        }
    }

    private static func makeLicence(_ name: String, by tool: OpenSSLTool) throws -> (private: String, public: String) {
        let (key, publicKey) = ("\(name)-licence.key", "\(name)-licence.der")
        try tool.run("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", key)
        try tool.protect(key)
        try tool.run("pkey", "-in", key, "-pubout", "-outform", "DER", "-out", publicKey)
        let text = Data(try tool.read(publicKey)).base64EncodedString()
        try tool.write(text + "\n", to: "\(name)-licence")
        try tool.protect("\(name)-licence")
        return (key, "\(tool.directory)/\(name)-licence")
    }

    /// Base64 of the licence key's RSA SHA-1 signature over these bytes. The `openssl` program signs, not our adapter.
    func sign(_ message: [UInt8]) throws -> String {
        let name = "purchase-\(UUID().uuidString)"
        defer {
            for file in [name, name + ".sig"] {
                try? FileManager.default.removeItem(atPath: "\(tool.directory)/\(file)")
            }
        }
        try tool.write(String(decoding: message, as: UTF8.self), to: name)
        try tool.run("dgst", "-sha1", "-sign", licencePrivateKeyFile, "-out", name + ".sig", name)
        return Data(try tool.read(name + ".sig")).base64EncodedString()
    }

    private struct ServiceAccount: Encodable {
        let type = "service_account"
        let client_email: String
        let private_key_id: String
        let private_key: String
        let token_uri: String
    }

    /// Writes the service account's file, readable by its owner alone.
    func writeServiceAccount(tokenURL: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let account = ServiceAccount(
            client_email: clientEmail, private_key_id: keyID, private_key: privateKey, token_uri: tokenURL)
        let name = URL(filePath: serviceAccountFile).lastPathComponent
        try tool.write(String(decoding: try encoder.encode(account), as: UTF8.self), to: name)
        try tool.protect(name)
    }

    /// Whether the service account's key made this RS256 signature. The `openssl` program judges, not our adapter.
    func verifies(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        let name = "assertion-\(UUID().uuidString)"
        let files = [name, name + ".sig"]
        defer { for file in files { try? FileManager.default.removeItem(atPath: "\(tool.directory)/\(file)") } }
        do {
            for (file, bytes) in zip(files, [message, signature]) {
                try Data(bytes).write(to: URL(filePath: "\(tool.directory)/\(file)"))
            }
            try tool.run("dgst", "-sha256", "-verify", publicKeyFile, "-signature", files[1], files[0])
            return true
        } catch {
            return false
        }
    }
}
