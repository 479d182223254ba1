// SPDX-License-Identifier: Apache-2.0

import Foundation
import PrivateServer
import TestSupport

@testable import subledger

/// A folder with a configuration that is right in everything, for a test to change one thing in.
struct ConfigurationFolder {
    /// Line by line as findings count them; the app begins on line 2.
    static let good = """
        apps:
          - id: acme-ios
            store: app_store
            bundle_id: com.acme.app
            app_apple_id: 1234567890
            issuer_id: 57246542-96fe-1a63-e053-0824d011072a
            key_id: 2X9R4HXF34
            private_key_file: key.p8
            root_certificate_file: root.cer
        clock: simulated

        """

    let path: String

    var file: String { path + "/subledger.yaml" }

    /// Gives `body` a new folder with that configuration and a key and certificate that fit.
    static func with<R>(_ yaml: String = good, _ body: (ConfigurationFolder) async throws -> R) async throws -> R {
        try await withTemporaryDirectory { path in
            let folder = ConfigurationFolder(path: path)
            try await folder.openssl([
                "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "key.p8",
            ])
            try await folder.openssl([
                "req", "-x509", "-key", "key.p8", "-subj", "/CN=Test Root", "-days", "3650", "-outform", "DER",
                "-out", "root.cer",
            ])
            try folder.write(yaml, to: "subledger.yaml", mode: 0o644)
            try folder.setMode(0o600, of: "key.p8")
            return try await body(folder)
        }
    }

    func write(_ text: String, to name: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
        try setMode(mode, of: name)
    }

    func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path + "/" + name)
    }

    /// The configuration, or the lines it is refused with, without the folder's name.
    func load(
        environment: [String: String] = [:], reading keys: KeyFiles = .ofStores
    ) -> Result<Configuration, UsageError> {
        Result { () throws(UsageError) in
            let configuration = try ConfigurationFile.load(file, environment: environment, reading: keys)
            let problems = configuration.apps.map(\.problems)
            // As a job of all apps refuses them.
            guard !problems.allSatisfy({ !$0.isEmpty }) else { throw UsageError(lines: problems.flatMap(\.self)) }
            return configuration
        }.mapError { error in UsageError(lines: error.lines.map { $0.replacing(path + "/", with: "") }) }
    }

    /// What is in it now.
    var contents: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []) }

    private func openssl(_ arguments: [String]) async throws {
        let command = ["/bin/sh", "-c", "cd \"$0\" && exec openssl \"$@\"", path] + arguments
        let ending = try await ChildProcess(command).run()
        guard ending.status == 0 else { throw ToolFailure(output: ending.output) }
    }

    private struct ToolFailure: Error {
        let output: String
    }
}

extension AppConfiguration {
    /// A line for each of its files that cannot be used.
    var problems: [String] {
        guard case .unusable(let problems) = files else { return [] }
        return problems
    }
}
