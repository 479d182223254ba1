// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A Python program of the tests, run as a process of its own: what we wrote is not asked to judge itself.
package enum PythonProgram {
    private static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Runs a script below `Tests/` with that input, and decodes what it prints.
    package static func run<Given: Encodable, Reported: Decodable>(
        _ script: String, given: Given, environment: [String: String] = [:], as type: Reported.Type = Reported.self
    ) async throws -> Reported {
        let result = try await run(
            script, [], environment, input: String(decoding: try JSONEncoder().encode(given), as: UTF8.self)
        ).run()
        guard result.exitCode == 0 else {
            throw TestSupportError("\(script) ended with \(result.exitCode):\n\(result.standardError.suffix(3_000))")
        }
        return try JSONDecoder().decode(type, from: Data(result.standardOutput.utf8))
    }

    /// Starts a script that goes on, a server: it ends with what is returned.
    static func start(_ script: String, _ arguments: [String]) throws -> RunningProgram {
        try run(script, arguments, [:], input: "").start()
    }

    private static func run(
        _ script: String, _ arguments: [String], _ environment: [String: String], input: String
    ) throws -> CommandLineRun {
        let python = repository.appending(path: ".venv/bin/python").path
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw TestSupportError("\(python) is missing: scripts/setup installs the tests' Python libraries there")
        }
        return CommandLineRun(
            product: python, arguments: [repository.appending(path: "Tests/\(script)").path] + arguments,
            // What Python would keep of a script that another imports is no part of the checkout.
            environment: environment.merging(["PYTHONDONTWRITEBYTECODE": "1"]) { $1 }, standardInput: input)
    }
}
