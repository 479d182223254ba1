// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A built program of this package, to be run as a person would run it.
package struct CommandLineRun: Sendable {
    /// How it ended and what it wrote.
    package struct Result: Sendable {
        /// The exit status; 128 plus the signal's number where a signal ended it.
        package let exitCode: Int32
        package let standardOutput: String
        package let standardError: String
    }

    let product: String
    let arguments: [String]
    let environment: [String: String]
    let folder: String?
    let standardInput: String

    /// A program of this package by its product's name, or any other by its whole path.
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

    /// Where a product of this package was built; nil where it was not.
    package static func path(of product: String) -> String? {
        let path = productsFolder.appendingPathComponent(product).path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    /// Where the build puts its products: the tests' own bundle lies beside them.
    static var productsFolder: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
        return bundle.bundlePath.hasSuffix(".xctest") ? bundle.bundleURL.deletingLastPathComponent() : bundle.bundleURL
    }
}

/// A program that was started and is waited for later: to send it signals meanwhile.
package final class RunningProgram: Sendable {
    private let process: Process
    private let streams: String
    private let ending: AsyncStream<Void>

    /// Its streams are files: a program that writes much must not wait for a reader.
    init(_ run: CommandLineRun) throws {
        let program =
            run.product.hasPrefix("/")
            ? URL(fileURLWithPath: run.product) : CommandLineRun.productsFolder.appendingPathComponent(run.product)
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw TestSupportError("\(run.product) was not built beside the tests, at \(program.path)")
        }
        streams = try TemporaryDirectory.make(named: "subledger-run")
        process = Process()
        process.executableURL = program
        process.arguments = run.arguments
        process.environment = ProcessInfo.processInfo.environment.merging(run.environment) { _, new in new }
        if let folder = run.folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        process.standardInput = try Self.file(streams + "/input", run.standardInput)
        process.standardOutput = try Self.file(streams + "/output", nil)
        process.standardError = try Self.file(streams + "/errors", nil)
        let (ending, continuation) = AsyncStream.makeStream(of: Void.self)
        self.ending = ending
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
    }

    deinit {
        if process.isRunning { process.terminate() }
        try? FileManager.default.removeItem(atPath: streams)
    }

    /// The process's number, for sending it signals.
    package var processID: Int32 { process.processIdentifier }

    /// Waits for its end.
    package func result() async -> CommandLineRun.Result {
        for await _ in ending {}
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
