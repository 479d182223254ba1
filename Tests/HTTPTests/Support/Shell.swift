// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs the command-line tools the tests need.
///
/// A missing tool is an error with its name.
enum Shell {
    struct Failure: Error, CustomStringConvertible {
        let command: String
        let output: String

        var description: String { "\(command) failed: \(output)" }
    }

    /// Runs a program found on the path and returns what it wrote to its standard output.
    @discardableResult
    static func run(_ arguments: String..., input: Data? = nil) throws -> Data {
        let process = program(arguments)
        let (output, errors, entry) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = entry
        try process.run()
        // Pipes hold 64 KiB: the tools here read all their input before they write.
        try entry.fileHandleForWriting.write(contentsOf: input ?? Data())
        try entry.fileHandleForWriting.close()
        let result = try output.fileHandleForReading.readToEnd() ?? Data()
        let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(
                command: arguments.joined(separator: " "), output: String(decoding: complaint, as: UTF8.self))
        }
        return result
    }

    /// A process for a program found on the path.
    static func program(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        return process
    }
}
