// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing

/// The keys and certificates of one simulated store, made when it starts, in its folder.
struct StoreKeys: Sendable {
    /// What an app's owner would have downloaded from the store.
    struct AppKeys: Sendable {
        let keyID: String
        let issuerID: String
        let sharedSecret: String
        let keyFile: String
        let secretFile: String
        let verifier: ES256Verifier
    }

    let directory: String
    let signer: ES256Signer
    let chain: [[UInt8]]
    let apps: [String: AppKeys]
    /// Of the apps that are sold on Google Play.
    let play: [String: PlayKeys]

    init(in directory: String, apps: [SimulatedApp]) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let tool = OpenSSLTool(directory: directory)
        let maker = CertificateMaker(tool: tool)
        try maker.makeServer()
        self.directory = directory
        self.chain = try maker.makeChain(named: "store")
        self.signer = try ES256Signer(pem: tool.read("store-leaf.key"))
        var keys: [String: AppKeys] = [:]
        var play: [String: PlayKeys] = [:]
        for (number, app) in apps.enumerated() {
            if app.api == .play {
                play[app.id] = try PlayKeys(for: app, by: tool)
            } else {
                keys[app.id] = try Self.make(app, number, tool, maker)
            }
        }
        self.apps = keys
        self.play = play
    }

    private static func make(
        _ app: SimulatedApp, _ number: Int, _ tool: OpenSSLTool, _ maker: CertificateMaker
    ) throws -> AppKeys {
        let keyFile = "AuthKey-\(app.id).p8"
        let secretFile = "shared-secret-\(app.id)"
        let publicKey = try maker.makeKey(keyFile)
        let pem = try tool.read(keyFile)
        let secret = Hex.encode(SHA256.digest(publicKey)).prefix(32)
        try tool.write(String(secret) + "\n", to: secretFile)
        try tool.protect(secretFile)
        return AppKeys(
            keyID: "KEY\(1_000_000 + number)", issuerID: "57246542-96fe-1a63-e053-0824d01107\(10 + number)",
            sharedSecret: String(secret), keyFile: "\(tool.directory)/\(keyFile)",
            secretFile: "\(tool.directory)/\(secretFile)", verifier: try ES256Verifier(pem: pem))
    }

    /// A row signed as the store signs it, with its chain.
    func sign(_ payload: some Encodable) throws -> String {
        try JSONWebToken.encode(
            header: [:], certificates: chain, payload: try WireObject.bytes(of: payload), signer: signer)
    }
}
