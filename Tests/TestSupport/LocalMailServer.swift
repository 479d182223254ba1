// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A real SMTP server on a loopback port, in Python: what it takes is read by Python's own library for mails.
package final class LocalMailServer: Sendable {
    package enum Security: String, Sendable {
        case none, starttls, tls
    }

    /// A mail that was taken.
    package struct Mail: Decodable, Sendable {
        package struct Part: Decodable, Sendable {
            package let type: String
            package let name: String
            /// Decoded, lines ending in a line feed; empty of a part that is no text.
            package let text: String
            package let sha256: String
        }

        package let from: String
        package let to: [String]
        package let secure: Bool
        package let raw: String
        package let headers: [[String]]
        package let parts: [Part]
        package let defects: [String]

        package func header(_ name: String) -> [String] {
            headers.filter { $0.first?.lowercased() == name.lowercased() }.compactMap(\.last)
        }
    }

    private struct Settings: Encodable {
        let security: String
        let certificate: String
        let key: String
        let user: String?
        let password: String?
        let answers: [String: [String]]
    }

    package let port: Int
    private let folder: String
    private let openssl: OpenSSLCommand
    private let program: RunningProgram

    /// Starts a server.
    ///
    /// `login`: user name and password, where one is required.
    /// `answers`: by what is said to it: `RCPT a@b`, `DATA`, `MESSAGE` (all of it), `MAIL`, `AUTH`, `CONNECT`.
    package init(
        _ security: Security = .none, login: (user: String, password: String)? = nil,
        answers: [String: [String]] = [:], host: String = "localhost"
    ) async throws {
        openssl = try OpenSSLCommand()
        folder = openssl.directory.path
        try openssl.run(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", folder + "/key.pem", "-out", folder + "/authority.pem", "-days", "2", "-subj", "/CN=mail",
            "-addext", "subjectAltName=DNS:\(host)")
        let settings = Settings(
            security: security.rawValue, certificate: folder + "/authority.pem", key: folder + "/key.pem",
            user: login?.user, password: login?.password, answers: answers)
        try JSONEncoder().encode(settings).write(to: URL(fileURLWithPath: folder + "/settings.json"))
        program = try PythonProgram.start("TestSupport/mail_server.py", [folder])
        let (running, place) = (program, folder + "/port")
        try await waitUntil { FileManager.default.fileExists(atPath: place) || !running.isRunning }
        guard let text = try? String(contentsOfFile: place, encoding: .utf8), let number = Int(text) else {
            throw TestSupportError("the mail server does not start: \(program.errorsSoFar.suffix(2_000))")
        }
        port = number
    }

    /// Whom a client must trust to trust this server.
    package var authorityFile: String { folder + "/authority.pem" }

    /// What was taken, in order.
    package var mails: [Mail] {
        get throws {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/messages")) ?? []
            return try names.filter { $0.hasSuffix(".json") }.sorted().map { name in
                try JSONDecoder().decode(
                    Mail.self, from: Data(contentsOf: URL(fileURLWithPath: "\(folder)/messages/\(name)")))
            }
        }
    }

    /// What was said to it, a line each, with `tls` or `plain` before it; of a login no more than that there was one.
    package var commands: [String] {
        ((try? String(contentsOfFile: folder + "/commands.txt", encoding: .utf8)) ?? "").split(separator: "\n").map(
            String.init)
    }
}
