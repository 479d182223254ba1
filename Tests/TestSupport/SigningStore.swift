// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Signing

/// An App Store of our own: a chain of certificates like the real one, made by `openssl`, and rows signed under it.
package struct SigningStore: Sendable {
    /// Made once; making it takes a while.
    package static let shared = Result { try SigningStore() }

    /// The root's DER: what an owner would configure.
    package let root: [UInt8]
    /// DER from the signer's certificate up.
    package let chain: [[UInt8]]
    /// An in-app purchase key, as PEM.
    package let privateKey: String
    package let signer: ES256Signer

    /// One that was made before.
    package init(root: [UInt8], chain: [[UInt8]], privateKey: String) throws {
        self.root = root
        self.chain = chain
        self.privateKey = privateKey
        signer = try ES256Signer(pem: Array(privateKey.utf8))
    }

    package init() throws {
        let workshop = try CertificateWorkshop()
        let root = try workshop.root()
        let middle = try workshop.intermediate(by: root, validity: .long)
        let leaf = try workshop.leaf(by: middle, validity: .long)
        let key = try workshop.tool.read(leaf.keyFile)
        try self.init(
            root: root.der, chain: [leaf.der, middle.der, root.der], privateKey: String(decoding: key, as: UTF8.self))
    }

    /// A signed row.
    package func sign(_ row: [String: Any]) throws -> String {
        let json = try JSONSerialization.data(withJSONObject: row, options: [.sortedKeys, .withoutEscapingSlashes])
        return try JSONWebToken.encode(header: [:], certificates: chain, payload: Array(json), signer: signer)
    }
}
