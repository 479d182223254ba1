// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Runs a program and waits for it. It blocks: use it on a `BlockingExecutor`.
///
/// The program reads /dev/null, writes to a file of its own, starts in `/` and inherits no other descriptor, no signal
/// mask, no ignored signal and no environment but PATH: a server it leaves behind holds nothing of ours open, and
/// PGDATA and the like do not lead it astray.
@safe package struct ChildProcess: Sendable {
    /// The shell that changes to `/` first: the account that runs a server may not enter our working directory.
    ///
    /// And closes what it inherited: nearly all descriptors are marked close-on-exec, but a library opens some without, on
    /// another thread while this one is on its way, and a server that is left behind would hold them for as long as it runs.
    private static let shell = [
        "/bin/bash", "-c",
        """
        for open in /proc/self/fd/*; do
            open=${open##*/}
            if ((open > 2)); then exec {open}>&-; fi
        done
        cd / && exec "$@"
        """, "bash",
    ]
    /// The program's absolute path, then its arguments.
    private let arguments: [String]

    /// That program with those arguments.
    package init(_ arguments: [String]) {
        self.arguments = arguments
    }

    /// How a program ended.
    package struct Ending: Sendable {
        /// The exit status, or 128 plus the number of the signal that ended it.
        package let status: Int32
        /// What it wrote to stdout and stderr.
        package let output: String
    }

    /// The environment of every child: where programs are, messages in English, UTC.
    private static let environment = [
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "TZ=UTC",
    ]

    /// Runs it to its end.
    package func run() throws(PostgresError) -> Ending {
        let output = try OutputFile()
        let process = try spawn(standardInput: nil, output: output.descriptor)
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) == -1 {
            guard errno == EINTR else { throw failure("cannot be waited for", errno) }
        }
        let signal = status & 0x7f
        return Ending(status: signal == 0 ? (status >> 8) & 0xff : 128 + signal, output: output.read())
    }

    /// Starts it without waiting, reading from `standardInput`.
    package func start(standardInput: Int32) throws(PostgresError) {
        _ = try spawn(standardInput: standardInput, output: nil)
    }

    private func spawn(standardInput: Int32?, output: Int32?) throws(PostgresError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe addStreams(&actions, standardInput: standardInput, output: output)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe setSignals(&attributes)
        var process: pid_t = 0
        let code = unsafe CStrings.withPointers(Self.shell + arguments) { arguments in
            unsafe CStrings.withPointers(Self.environment) { environment in
                unsafe posix_spawn(
                    &process, Self.shell[0], &actions, &attributes, Self.mutable(arguments),
                    Self.mutable(environment))
            }
        }
        guard code == 0 else { throw failure("cannot be started", code.flatMap { $0 } ?? ENOMEM) }
        return process
    }

    private func addStreams(
        _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, standardInput: Int32?, output: Int32?
    ) {
        if let standardInput {
            unsafe posix_spawn_file_actions_adddup2(actions, standardInput, 0)
        } else {
            unsafe posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0)
        }
        if let output {
            unsafe posix_spawn_file_actions_adddup2(actions, output, 1)
            unsafe posix_spawn_file_actions_adddup2(actions, output, 2)
        } else {
            unsafe posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0)
            unsafe posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0)
        }
    }

    private func setSignals(_ attributes: UnsafeMutablePointer<posix_spawnattr_t>) {
        var none = sigset_t()
        var all = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(attributes, &none)
        unsafe posix_spawnattr_setsigdefault(attributes, &all)
        unsafe posix_spawnattr_setflags(attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    }

    /// posix_spawn's declaration forgot const; it changes nothing.
    private static func mutable(
        _ strings: UnsafePointer<UnsafePointer<CChar>?>
    ) -> UnsafePointer<UnsafeMutablePointer<CChar>?> {
        unsafe UnsafeRawPointer(strings).assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
    }

    private func failure(_ problem: String, _ code: Int32) -> PostgresError {
        PostgresError(.privateServer, "\(arguments[0]) \(problem): \(unsafe String(cString: strerror(code)))")
    }
}

/// An unnamed file that takes a program's output. A pipe would stay open for as long as a server that the program left.
@safe private struct OutputFile: ~Copyable {
    let descriptor: Int32

    init() throws(PostgresError) {
        var path = Array("/tmp/subledger-output-XXXXXX".utf8CString)
        descriptor = unsafe path.withUnsafeMutableBufferPointer { path in
            guard let path = path.baseAddress else { return -1 }
            let descriptor = unsafe mkstemp(path)
            unsafe unlink(path)
            return descriptor
        }
        guard descriptor >= 0 else { throw ServerFiles.failure("no temporary file can be made in /tmp") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    func read() -> String {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe pread(descriptor, buffer.baseAddress, buffer.count, 0)
        }
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
