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

    let signer: ES256Signer
    let chain: [[UInt8]]
    let apps: [String: AppKeys]
    /// Of the apps that are sold on Google Play.
    let play: [String: PlayKeys]

    /// - Parameters:
    ///   - directory: where they are written.
    ///   - host: the address of the server, besides loopback.
    ///   - apps: whose keys they are.
    ///   - stock: where key files are taken from that need not be the store's own.
    /// - Throws: `SimulatorError` when `openssl` fails.
    init(in directory: String, at host: String, apps: [SimulatedApp], from stock: KeyStock?) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let tool = OpenSSLTool(directory: directory, stock: stock)
        let maker = CertificateMaker(tool: tool)
        try maker.makeServer(at: host)
        chain = try maker.makeChain(named: "store")
        signer = try ES256Signer(pem: tool.read("store-leaf.key"))
        play = try apps.filter { $0.api == .play }.reduce(into: [:]) { $0[$1.id] = try PlayKeys(for: $1, by: tool) }
        self.apps = try apps.enumerated().filter { $1.api != .play }.reduce(into: [:]) { keys, app in
            keys[app.element.id] = try Self.make(app.element, number: app.offset, by: maker)
        }
    }

    private static func make(_ app: SimulatedApp, number: Int, by maker: CertificateMaker) throws -> AppKeys {
        let tool = maker.tool
        let keyFile = "AuthKey-\(app.id).p8"
        let secretFile = "shared-secret-\(app.id)"
        try tool.provide("app \(app.id)") { _ = try maker.makeKey(keyFile) }
        let publicKey = try tool.read(keyFile + ".pub")
        let pem = try tool.read(keyFile)
        let secret = String(SHA256.digest(publicKey).hexDigits.prefix(32))
        try tool.writeSecret(secret + "\n", to: secretFile)
        return AppKeys(
            keyID: "KEY\(1_000_000 + number)", issuerID: "57246542-96fe-1a63-e053-0824d01107\(10 + number)",
            sharedSecret: secret, keyFile: tool.path(of: keyFile), secretFile: tool.path(of: secretFile),
            verifier: try ES256Verifier(pem: pem))
    }

    /// A row signed as the store signs it, with its chain.
    func sign(_ payload: WireObject) throws -> String {
        try JSONWebToken.encode(header: [:], certificates: chain, payload: try payload.bytes(), signer: signer)
    }
}
