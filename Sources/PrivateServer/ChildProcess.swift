// SPDX-License-Identifier: Apache-2.0

package import Postgres
import Subprocess
import SystemPackage

/// Runs a program to its end.
///
/// The program reads /dev/null, writes to a file of its own, starts in `/` and inherits no other descriptor, no signal
/// mask, no ignored signal and no environment but PATH: a server it leaves behind holds nothing of ours open, and
/// PGDATA and the like do not lead it astray.
package struct ChildProcess: Sendable {
    /// The environment of every child: where programs are, messages in English, UTC.
    private static let environment: [Environment.Key: String] = [
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C", "TZ": "UTC",
    ]

    /// What reads as an empty file.
    private static let nothing = FilePath("/dev/null")
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

    /// Runs it to its end; what it starts may live longer, and is not waited for.
    ///
    /// A cancelled task ends the program.
    ///
    /// `standardInput`: what it reads in place of /dev/null; closed here once the program has it.
    package func run(standardInput: Int32? = nil) async throws(PostgresError) -> Ending {
        let output = try OutputFile()
        do {
            let input = try standardInput.map { FileDescriptor(rawValue: $0) } ?? .open(Self.nothing, .readOnly)
            let result = try await Subprocess.run(
                configuration, input: .fileDescriptor(input, closeAfterSpawningProcess: true),
                output: .fileDescriptor(output.descriptor, closeAfterSpawningProcess: false),
                error: .fileDescriptor(output.descriptor, closeAfterSpawningProcess: false))
            return Ending(status: result.terminationStatus.code, output: try output.text())
        } catch {
            throw failure(error)
        }
    }

    private var configuration: Configuration {
        Configuration(
            executable: .path(FilePath(arguments[0])), arguments: Arguments(Array(arguments.dropFirst())),
            environment: .custom(Self.environment), workingDirectory: "/")
    }

    private func failure(_ error: any Error) -> PostgresError {
        let reason = (error as? SubprocessError)?.underlyingError.map { "\($0)" } ?? "\(error)"
        return PostgresError(.privateServer, "\(arguments[0]) cannot be run: \(reason)")
    }
}

extension TerminationStatus {
    /// As a shell counts: the exit status, or 128 plus the number of the signal.
    fileprivate var code: Int32 {
        switch self {
        case .exited(let status): status
        case .signaled(let signal): 128 + signal
        }
    }
}
