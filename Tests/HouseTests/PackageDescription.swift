// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What `swift package describe --type json` says of the targets.
struct PackageDescription: Decodable {
    struct Target: Decodable {
        let name: String
        let path: String
        let type: String
        let targetDependencies: [String]?
        let productDependencies: [String]?

        enum CodingKeys: String, CodingKey {
            case name, path, type
            case targetDependencies = "target_dependencies"
            case productDependencies = "product_dependencies"
        }

        /// What its files may import of ours and of others: declared, and no more.
        var allowedImports: Set<String> { Set((targetDependencies ?? []) + (productDependencies ?? [])) }
    }

    let targets: [Target]

    /// Asks the package manager, in a scratch folder of its own so that the running build is not disturbed.
    static func read() throws -> PackageDescription {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "subledger-describe-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "swift", "package", "--package-path", Repository.root.path, "--scratch-path", scratch.path, "describe",
            "--type", "json",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode(PackageDescription.self, from: data)
    }
}
