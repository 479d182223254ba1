// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import TestSupport

/// Google Play's signing of purchases, by the `openssl` command line.
struct PlaySigner: Sendable {
    /// Made once; making a key takes a while.
    static let shared = Result { try PlaySigner() }

    /// Base64 of the licence key, as the console shows it.
    let publicKey: String
    private let key: Data

    init() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try Self.openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", "key", in: folder)
        try Self.openssl("pkey", "-in", "key", "-pubout", "-outform", "DER", "-out", "public", in: folder)
        publicKey = try Data(contentsOf: folder.appending(path: "public")).base64EncodedString()
        key = try Data(contentsOf: folder.appending(path: "key"))
    }

    /// Base64, over exactly these bytes.
    func sign(_ data: String) throws -> String {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try key.write(to: folder.appending(path: "key"))
        try Data(data.utf8).write(to: folder.appending(path: "data"))
        try Self.openssl("dgst", "-sha1", "-sign", "key", "-out", "signature", "data", in: folder)
        return try Data(contentsOf: folder.appending(path: "signature")).base64EncodedString()
    }

    private static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "play-signer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private static func openssl(_ arguments: String..., in folder: URL) throws {
        let command = ["/bin/sh", "-c", "cd \"$0\" && exec openssl \"$@\"", folder.path] + arguments
        let ending = try ChildProcess(command).run()
        guard ending.status == 0 else { throw TestSupportError("openssl \(arguments[0]): \(ending.output)") }
    }
}
