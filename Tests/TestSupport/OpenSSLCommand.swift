// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The `openssl` command line in a directory of its own: the other implementation that these tests compare with.
package final class OpenSSLCommand: Sendable {
    /// Where its files are; removed with the object.
    package let directory: URL

    /// What could not be done, in the tool's own words.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    package init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "openssl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    /// Runs the tool and returns its output; fails when it does.
    @discardableResult
    package func run(_ arguments: String...) throws -> [UInt8] {
        try run(arguments: arguments)
    }

    /// Runs the tool and returns its output; fails when it does.
    @discardableResult
    package func run(arguments: [String]) throws -> [UInt8] {
        let (status, output, complaint) = try outcome(of: arguments)
        guard status == 0 else {
            throw Failure(description: "openssl \(arguments.joined(separator: " ")): \(complaint)")
        }
        return output
    }

    /// What the tool says, complaints included, whether it fails or not; without the line's end.
    package func verdict(_ arguments: String...) throws -> String {
        let (_, output, complaint) = try outcome(of: arguments)
        return (String(decoding: output, as: UTF8.self) + complaint).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Whether the tool verifies the signature of the message with this public key.
    package func verifies(signature: [UInt8], of message: [UInt8], publicKey: String, hash: String) throws -> Bool {
        let files = try [write(signature), write(message)]
        return try outcome(of: ["dgst", hash, "-verify", publicKey, "-signature", files[0], files[1]]).status == 0
    }

    /// The signature of the message, as the tool writes it.
    package func sign(_ message: [UInt8], key: String, hash: String) throws -> [UInt8] {
        try run("dgst", hash, "-sign", key, write(message))
    }

    /// Puts bytes into a file of the directory and returns its name.
    package func write(_ bytes: some Sequence<UInt8>, as name: String = UUID().uuidString) throws -> String {
        try Data(bytes).write(to: directory.appending(path: name))
        return name
    }

    /// The bytes of a file of the directory.
    package func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: directory.appending(path: name)))
    }

    private func outcome(of arguments: [String]) throws -> (status: Int32, output: [UInt8], complaint: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = directory
        let (output, complaint) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = complaint
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        let words = try complaint.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, Array(bytes), String(decoding: words, as: UTF8.self))
    }
}
