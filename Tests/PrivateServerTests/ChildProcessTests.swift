// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import PrivateServer

@Suite(.hangLimit) struct ChildProcessTests {
    private static func shell(_ script: String) -> ChildProcess { ChildProcess(["/bin/sh", "-c", script]) }

    /// Opens files that children inherit, and closes them, for as long as the work lasts.
    private static func whileOpening(_ work: () async throws -> Void) async rethrows {
        final class Flag: Sendable {
            let isOver = Atomic(false)
        }
        let flag = Flag()
        Thread.detachNewThread {
            while !flag.isOver.load(ordering: .relaxed) {
                let descriptors = (0..<8).map { _ in unsafe open("/dev/null", O_RDONLY) }
                for descriptor in descriptors { close(descriptor) }
            }
        }
        defer { flag.isOver.store(true, ordering: .relaxed) }
        try await work()
    }

    @Test func `a program inherits nothing, even of what is opened while it starts`() async throws {
        try await Self.whileOpening {
            for _ in 0..<60 {
                let ending = try await ChildProcess(["/bin/ls", "/proc/self/fd"]).run()
                // Its three streams and the folder it reads.
                #expect(ending.output.split(separator: "\n") == ["0", "1", "2", "3"])
            }
        }
    }

    @Test func `what a program leaves behind is not waited for, and has no pipe and nothing of ours open`() async throws
    {
        let ending = try await Self.shell("sleep 600 & echo $!").run()
        let left = try #require(Int32(ending.output.trimmingCharacters(in: .newlines)))
        defer { kill(left, SIGKILL) }
        let folder = "/proc/\(left)/fd"
        let open = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { descriptor in
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)")
        }
        #expect(open.count == 3 && open.first == "/dev/null", "\(open)")
        #expect(open.dropFirst().allSatisfy { $0.hasPrefix("/tmp/subledger-output-") }, "\(open)")
        #expect(ending.status == 0)
    }

    @Test func `its environment is three variables, whatever ours is`() async throws {
        unsafe setenv("PGDATA", "/nowhere", 1)
        defer { unsafe unsetenv("PGDATA") }
        let lines = try await ChildProcess(["/usr/bin/env"]).run().output.split(separator: "\n")
        #expect(lines.map { String($0.prefix { $0 != "=" }) }.sorted() == ["LC_ALL", "PATH", "TZ"])
        #expect(lines.contains("LC_ALL=C") && lines.contains("TZ=UTC"))
    }

    @Test func `it starts in the root folder, reads nothing, and neither blocks nor ignores a signal`() async throws {
        signal(SIGUSR2, SIG_IGN)
        defer { signal(SIGUSR2, SIG_DFL) }
        let script = "pwd; cat; sed -nE 's/^Sig(Blk|Ign):\\s*//p' /proc/self/status"
        let lines = try await Self.shell(script).run().output.split(separator: "\n")
        #expect(lines.first == "/" && lines.count == 3, "\(lines)")
        // The two signals above 31 that glibc has for its threads are ignored by every child of posix_spawn.
        let ofPrograms: UInt64 = 0x7fff_ffff
        for set in lines.dropFirst() { #expect(try #require(UInt64(set, radix: 16)) & ofPrograms == 0, "\(set)") }
    }

    @Test func `it ends with its status or 128 and its signal, and both its streams are its output`() async throws {
        let failed = try await Self.shell("echo out; echo err >&2; exit 3").run()
        #expect(failed.status == 3 && failed.output == "out\nerr\n")
        #expect(try await Self.shell("kill -9 $$").run().status == 137)
        let error = await thrown(PostgresError.self) { _ = try await ChildProcess(["/nowhere/program"]).run() }
        #expect(error?.code == .privateServer && error?.message.hasPrefix("/nowhere/program cannot be run: ") == true)
    }

    @Test func `it reads what it is given, which is closed here`() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        defer { close(ends[1]) }
        _ = unsafe write(ends[1], "given", 5)
        let ending = try await ChildProcess(["/usr/bin/head", "-c", "5"]).run(standardInput: ends[0])
        #expect(ending.output == "given")
        var writer = pollfd(fd: ends[1], events: 0, revents: 0)
        #expect(unsafe poll(&writer, 1, 0) == 1 && writer.revents & Int16(POLLERR) != 0, "it has a reader")
    }

    @Test(.enabled(if: geteuid() == 0, "only root steps down"))
    func `another account runs it with its own group and no other`() async throws {
        let account = try #require(ServerAccount(named: "nobody"))
        let ending = try await account.command(["/bin/sh", "-c", "id -u; id -G"]).run()
        #expect(ending.output == "\(account.userID)\n\(account.groupID)\n")
    }

    /// A process that is forked and steps down by itself waits for ever for a thread that was being made.
    @Test(.enabled(if: geteuid() == 0, "only root steps down"))
    func `another account's programs begin while threads are made`() async throws {
        let account = try #require(ServerAccount(named: "nobody"))
        let making = Task.detached {
            while !Task.isCancelled {
                Thread.detachNewThread {}
                await Task.yield()
            }
        }
        defer { making.cancel() }
        for _ in 0..<300 { #expect(try await account.command(["/bin/true"]).run().status == 0) }
    }
}
