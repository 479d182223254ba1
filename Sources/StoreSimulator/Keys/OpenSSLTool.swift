// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The `openssl` command line in a folder: it makes the store's keys and certificates, independently of our adapter.
struct OpenSSLTool {
    let directory: String
    /// Where files of a kind are taken from that need not be made for each folder.
    var stock: KeyStock?

    /// Files of that kind, in the folder.
    func provide(_ kind: String, _ make: () throws -> Void) throws {
        if let stock { try stock.provide(kind, in: directory, make) } else { try make() }
    }

    func run(_ arguments: String...) throws { try run(arguments) }

    /// Runs it.
    ///
    /// Throws what it said when it fails.
    func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = URL(filePath: directory)
        let complaint = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = complaint
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let words = try complaint.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw SimulatorError("openssl \(arguments.first ?? ""): \(String(decoding: words, as: UTF8.self))")
        }
    }

    /// A key in PKCS#8 that its owner alone may read, and its public half beside it.
    func makeKey(
        _ file: String, by algorithm: String, option: String, publicKey: String, in form: String = "DER"
    ) throws {
        try run("genpkey", "-algorithm", algorithm, "-pkeyopt", option, "-out", file)
        try protect(file)
        try run("pkey", "-in", file, "-pubout", "-outform", form, "-out", publicKey)
    }

    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: URL(filePath: path(of: name))) }

    /// Readable by its owner alone, as key files must be.
    func writeSecret(_ text: String, to name: String) throws {
        try write(text, to: name)
        try protect(name)
    }

    func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path(of: name)))) }

    func path(of name: String) -> String { "\(directory)/\(name)" }

    /// Lends the names of a message and its signature; the files are gone afterwards.
    func withScratchFiles<Result>(
        _ body: (_ message: String, _ signature: String) throws -> Result
    ) rethrows -> Result {
        let files = ["message", "signature"].map { "\($0)-\(UUID().uuidString)" }
        defer { for file in files { try? FileManager.default.removeItem(atPath: path(of: file)) } }
        return try body(files[0], files[1])
    }

    private func protect(_ name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path(of: name))
    }
}

/// Why the simulated store could not be set up.
package struct SimulatorError: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}
