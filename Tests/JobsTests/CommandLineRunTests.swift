// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import TestSupport

@Suite(.hangLimit) struct CommandLineRunTests {
    @Test func `a test that is stopped ends its program and waits for its end`() async throws {
        let program = try CommandLineRun(product: "/bin/sleep", arguments: ["86400"]).start()
        let waiting = Task { await program.result() }
        waiting.cancel()
        #expect(await waiting.value.exitCode == 128 + SIGKILL)
        #expect(kill(program.processID, 0) == -1, "it is gone")
    }

    @Test func `a program that ended before anyone waited for it reports how it ended`() async throws {
        let program = try CommandLineRun(product: "/bin/sh", arguments: ["-c", "echo said; exit 7"]).start()
        let first = await program.result()
        let second = await program.result()
        #expect(first.exitCode == 7 && second.exitCode == 7)
        #expect(first.standardOutput == "said\n")
    }

    /// Hundreds of programs run in a year of nights.
    @Test func `a program that ended leaves no file open`() async throws {
        let program = try CommandLineRun(product: "/bin/sh", arguments: ["-c", "echo said"]).start()
        _ = await program.result()
        let streams = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }.filter { $0.hasPrefix(program.streams) }
        #expect(streams == [])
    }
}
