// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing

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
    private let signer: ES256Signer

    package init() throws {
        let shop = try OpenSSL()
        try shop.certificate("root", curve: "secp384r1", issuer: nil, ["basicConstraints=critical,CA:TRUE"])
        try shop.certificate(
            "middle", curve: "secp384r1", issuer: "root",
            ["basicConstraints=critical,CA:TRUE,pathlen:0", "1.2.840.113635.100.6.2.1=DER:0500"])
        try shop.certificate(
            "leaf", curve: "prime256v1", issuer: "middle",
            ["basicConstraints=critical,CA:FALSE", "1.2.840.113635.100.6.11.1=DER:0500"])
        root = try shop.der("root")
        chain = try ["leaf", "middle", "root"].map(shop.der)
        privateKey = String(decoding: try shop.file("leaf.key"), as: UTF8.self)
        signer = try ES256Signer(pem: try shop.file("leaf.key"))
    }

    /// A signed row.
    package func sign(_ row: [String: Any]) throws -> String {
        let json = try JSONSerialization.data(withJSONObject: row, options: [.sortedKeys, .withoutEscapingSlashes])
        return try JSONWebToken.encode(header: [:], certificates: chain, payload: Array(json), signer: signer)
    }
}

/// The `openssl` command line in a folder of its own.
private final class OpenSSL {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "app-store-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Valid from 2014 to 2039, as Apple's root is: rows are verified at the time they were signed.
    func certificate(_ name: String, curve: String, issuer: String?, _ extensions: [String]) throws {
        try run("ecparam", "-name", curve, "-genkey", "-noout", "-out", "\(name).key")
        try run("req", "-new", "-key", "\(name).key", "-subj", "/CN=Test \(name)", "-out", "\(name).csr")
        try Data().write(to: folder.appending(path: "\(name).db"))
        try Data(configuration(name, extensions).utf8).write(to: folder.appending(path: "\(name).cnf"))
        let authority = issuer.map { ["-cert", "\($0).pem"] } ?? ["-selfsign"]
        try run(
            ["ca", "-batch", "-notext", "-config", "\(name).cnf", "-keyfile", "\(issuer ?? name).key"] + authority + [
                "-in", "\(name).csr", "-out", "\(name).pem", "-extensions", "made", "-startdate", "20140430000000Z",
                "-enddate", "20390430000000Z",
            ])
        try run("x509", "-in", "\(name).pem", "-outform", "DER", "-out", "\(name).der")
    }

    func der(_ name: String) throws -> [UInt8] { try file("\(name).der") }

    func file(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: name))) }

    private func run(_ arguments: String...) throws { try run(arguments) }

    private func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = folder
        process.standardOutput = FileHandle.nullDevice
        let complaint = Pipe()
        process.standardError = complaint
        try process.run()
        let words = try complaint.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw TestSupportError("openssl \(arguments[0]) failed: \(String(decoding: words, as: UTF8.self))")
        }
    }

    private func configuration(_ name: String, _ extensions: [String]) -> String {
        """
        [ca]
        default_ca = here
        [here]
        database = \(name).db
        new_certs_dir = .
        rand_serial = yes
        unique_subject = no
        default_md = sha384
        policy = any
        [any]
        commonName = supplied
        [made]
        \(extensions.joined(separator: "\n"))

        """
    }
}
