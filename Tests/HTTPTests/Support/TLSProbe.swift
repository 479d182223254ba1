// SPDX-License-Identifier: Apache-2.0

import Foundation

/// `openssl s_server` on a loopback port: a server whose certificate and protocol version a test can choose freely.
///
/// Answers GET with a status page, or sends the first client the bytes of a script.
final class TLSProbe {
    /// The process ended without saying where it listens.
    struct NotStarted: Error {}

    let port: Int
    private let process: Process
    /// Held open: the server would leave at the end of its input.
    private let input = Pipe()

    init(
        _ certificates: Certificates, _ kind: Certificates.Kind, options: [String] = ["-www"], script: [UInt8] = []
    ) throws {
        process = Shell.program(
            [
                "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", certificates.certificateFile(kind),
                "-key", certificates.keyFile(kind),
            ] + options)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = input
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(script))
        port = try Self.readPort(output.fileHandleForReading)
    }

    deinit {
        // A process started from a Swift task inherits a mask that blocks SIGTERM; only this one gets through.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Reads the line `ACCEPT 127.0.0.1:40000`.
    private static func readPort(_ output: FileHandle) throws -> Int {
        var text = ""
        while true {
            let more = output.availableData
            guard !more.isEmpty else { throw NotStarted() }
            text += String(decoding: more, as: UTF8.self)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            guard let line = lines.first(where: { $0.hasPrefix("ACCEPT") }) else { continue }
            guard let port = line.split(separator: ":").last.flatMap({ Int($0) }) else { throw NotStarted() }
            return port
        }
    }
}
