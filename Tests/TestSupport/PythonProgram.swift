// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A Python program of the tests, run as a process of its own: what we wrote is not asked to judge itself.
package enum PythonProgram {
    private static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Runs a script below `Tests/` with that input, and decodes what it prints.
    package static func run<Given: Encodable, Told: Decodable>(
        _ script: String, given: Given, environment: [String: String] = [:], as type: Told.Type = Told.self
    ) async throws -> Told {
        let python = repository.appending(path: ".venv/bin/python").path
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw TestSupportError("\(python) is missing: scripts/setup installs the tests' Python libraries there")
        }
        let result = try await CommandLineRun(
            product: python, arguments: [repository.appending(path: "Tests/\(script)").path],
            // What Python would keep of a script that another imports is no part of the checkout.
            environment: environment.merging(["PYTHONDONTWRITEBYTECODE": "1"]) { $1 },
            standardInput: String(decoding: try JSONEncoder().encode(given), as: UTF8.self)
        ).run()
        guard result.exitCode == 0 else {
            throw TestSupportError("\(script) ended with \(result.exitCode):\n\(result.standardError.suffix(3_000))")
        }
        return try JSONDecoder().decode(type, from: Data(result.standardOutput.utf8))
    }
}
