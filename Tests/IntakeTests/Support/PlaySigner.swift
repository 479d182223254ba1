// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Google Play's signing of purchases, by the `openssl` command line.
struct PlaySigner: Sendable {
    /// Made once; making a key takes a while.
    static let shared = Result { try PlaySigner() }

    /// Base64 of the licence key, as the console shows it.
    let publicKey: String
    private let key: [UInt8]

    init() throws {
        let tool = try OpenSSLCommand()
        try tool.run("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", "key")
        publicKey = Data(try tool.run("pkey", "-in", "key", "-pubout", "-outform", "DER")).base64EncodedString()
        key = try tool.read("key")
    }

    /// Base64, over exactly these bytes.
    func sign(_ data: String) throws -> String {
        let tool = try OpenSSLCommand()
        return Data(try tool.sign(Array(data.utf8), key: tool.write(key), hash: "-sha1")).base64EncodedString()
    }
}
