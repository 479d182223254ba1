// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The `openssl` command line in a folder: it makes the store's keys and certificates, independently of our adapter.
struct OpenSSLTool {
    let directory: String

    /// Runs it. Throws what it said when it fails.
    func run(_ arguments: String...) throws { try run(arguments) }

    /// Runs it. Throws what it said when it fails.
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

    func write(_ text: String, to name: String) throws {
        try text.write(toFile: directory + "/" + name, atomically: true, encoding: .utf8)
    }

    func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: directory + "/" + name)))
    }

    /// Readable by its owner alone, as key files must be.
    func protect(_ name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: directory + "/" + name)
    }
}

/// Why the simulated store could not be set up.
package struct SimulatorError: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}
