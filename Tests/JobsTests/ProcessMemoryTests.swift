// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Logging
import Model
import TestSupport
import Testing

@testable import subledger

/// Who may look into the program's memory, and what is left in it of a key that was read.
@Suite(.hangLimit) struct ProcessMemoryTests {
    /// An account that is not root, where the tests run as root: what comes after these words is run by it.
    private static let asOrdinaryUser =
        getuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"] : []

    private static func start(_ command: [String], environment: [String: String] = [:]) throws -> RunningProgram {
        let words = asOrdinaryUser + command
        return try CommandLineRun(
            product: words[0], arguments: Array(words.dropFirst()), environment: environment
        ).start()
    }

    /// What the same account is answered that reads a file of that process: "read", or why not.
    private static func reading(_ name: String, of process: RunningProgram) async throws -> String {
        let words = asOrdinaryUser + ["/bin/dd", "if=/proc/\(process.processID)/\(name)", "of=/dev/null", "count=0"]
        let ending = try await CommandLineRun(product: words[0], arguments: Array(words.dropFirst())).start().result()
        return ending.exitCode == 0 ? "read" : ending.standardError
    }

    @Test func `another process of its account reads neither its memory nor its environment`() async throws {
        let server = try SilentServer()
        let yaml =
            "database: { url: 'postgresql://u@127.0.0.1:\(server.port)/b?sslmode=disable&connect_timeout=600' }\n"
            + ConfigurationFolder.good
        try await ConfigurationFolder.with(yaml) { folder in
            let program = folder.path + "/subledger"
            try FileManager.default.copyItem(atPath: try InstalledProgram.path(), toPath: program)
            let job = try Self.start(
                [program, "status", "--config", folder.file], environment: ["PGPASSWORD": "canary"])
            defer { kill(job.processID, SIGKILL) }
            // A program that says nothing of itself: this is how it is read.
            let other = try Self.start(["/bin/sleep", "600"])
            defer { kill(other.processID, SIGKILL) }
            try await server.waitForCaller()
            for name in ["environ", "mem", "maps"] {
                #expect(try await Self.reading(name, of: other) == "read")
                let answer = try await Self.reading(name, of: job)
                #expect(answer.contains("Permission denied"), "\(name): \(answer)")
            }
            let limits = try String(contentsOfFile: "/proc/\(job.processID)/limits", encoding: .utf8)
            #expect(limits.contains(#/Max core file size +0 +0 /#), "\(limits)")
        }
    }

    /// The key signs on, so that its number is there; the text of its file is not.
    @Test func `a key file's text is overwritten once its key is read`() async throws {
        try await ConfigurationFolder.with { folder in
            // The line before says what kind of key it is: it begins the same in all of them.
            let text = try MaskedText(ofLine: 2, of: folder.path + "/key.p8")
            let configuration = try folder.load().get()
            let app = try #require(configuration.apps.first)
            let store = StoreFactory(configuration, now: .currentSecond, logger: Logger(label: "test")).app(app)
            // The list of what is mapped is no single instant's where other tests map and unmap: one look may miss a part.
            for _ in 0..<3 { #expect(try text.placesInMemory() == 0) }
            withExtendedLifetime((configuration, store)) {}
            // It would be found: the same line where nothing overwrites it.
            let copy = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/key.p8"))
            #expect(try (0..<10).contains { _ in try text.placesInMemory() > 0 })
            withExtendedLifetime(copy) {}
        }
    }
}
