// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program, to be run as a person would run it.
package struct CommandLineRun: Sendable {
    /// How it ended and what it wrote.
    package struct Result: Sendable {
        /// The exit status; 128 plus the signal's number where a signal ended it.
        package let exitCode: Int32
        package let standardOutput: String
        package let standardError: String

        /// What it wrote, as one line: of `report`, the folder.
        package var folder: String { standardOutput.trimmingCharacters(in: .newlines) }
    }

    let product: String
    let arguments: [String]
    let environment: [String: String]
    let folder: String?
    let standardInput: String

    /// `subledger` as it is installed, or any other program by its whole path.
    ///
    /// Its environment is the tests' own with these changes; its working directory the tests' own, or the folder.
    package init(
        product: String, arguments: [String], environment: [String: String] = [:], folder: String? = nil,
        standardInput: String = ""
    ) {
        self.product = product
        self.arguments = arguments
        self.environment = environment
        self.folder = folder
        self.standardInput = standardInput
    }

    /// Runs it to its end.
    package func run() async throws -> Result { try await start().result() }

    /// Starts it, to be waited for later.
    package func start() throws -> RunningProgram { try RunningProgram(self) }
}

/// A program that was started and is waited for later: to send it signals meanwhile.
package final class RunningProgram: Sendable {
    private let process: Process
    /// The folder of its streams.
    let streams: String
    private let ending = ProgramEnding()

    /// Its streams are files: a program that writes much must not wait for a reader.
    init(_ run: CommandLineRun) throws {
        let program = URL(fileURLWithPath: try run.product == "subledger" ? InstalledProgram.path() : run.product)
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw TestSupportError("\(program.path) is no program that can be run")
        }
        streams = try TemporaryDirectory.make(named: "subledger-run")
        process = Process()
        process.executableURL = program
        process.arguments = run.arguments
        process.environment = ProcessInfo.processInfo.environment.merging(run.environment) { _, new in new }
        if let folder = run.folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        let input = try Self.file(streams + "/input", run.standardInput)
        let (output, errors) = (try Self.file(streams + "/output", nil), try Self.file(streams + "/errors", nil))
        // The program has its own copies. Ours would stay open for as long as Foundation keeps what it knows of the process,
        // and it does not survive its own listing of more than thirteen hundred open files.
        defer { for stream in [input, output, errors] { try? stream.close() } }
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
        process.terminationHandler = { [ending] _ in ending.reached() }
        try process.run()
    }

    deinit {
        if process.isRunning { process.terminate() }
        try? FileManager.default.removeItem(atPath: streams)
    }

    /// It has not ended yet.
    package var isRunning: Bool { process.isRunning }

    /// The process's number, for sending it signals.
    package var processID: Int32 { process.processIdentifier }

    /// What it has written to stderr so far.
    package var errorsSoFar: String { text("errors") }

    /// Waits for its end.
    ///
    /// A test that is stopped meanwhile kills it: nothing outlives its test.
    package func result() async -> CommandLineRun.Result {
        await withTaskCancellationHandler {
            await ending.wait()
        } onCancel: {
            kill(processID, SIGKILL)
        }
        let status = process.terminationStatus
        let isSignal = process.terminationReason == .uncaughtSignal
        return CommandLineRun.Result(
            exitCode: isSignal ? 128 + status : status, standardOutput: text("output"), standardError: text("errors"))
    }

    private func text(_ name: String) -> String {
        FileManager.default.contents(atPath: "\(streams)/\(name)").map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func file(_ path: String, _ content: String?) throws -> FileHandle {
        _ = FileManager.default.createFile(atPath: path, contents: content.map { Data($0.utf8) })
        let url = URL(fileURLWithPath: path)
        return content == nil ? try FileHandle(forWritingTo: url) : try FileHandle(forReadingFrom: url)
    }
}
