// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Logging
import Synchronization
import UnixSignals

/// Runs a job's body with its configuration, log and signals, and ends the process with the right exit code.
enum Job {
    /// Reads the configuration, then runs the body; a signal cancels it, a second one ends the process at once.
    ///
    /// Always throws an `ExitCode` unless the body says that all is done. `reading`: which files it needs; a job that
    /// asks no store must work where the keys are not. `ended`: is called with the exit code, before the process ends.
    static func perform(
        _ options: SharedOptions, reading keys: KeyFiles = .none,
        ended: @Sendable (Int32) async -> Void = { _ in },
        _ body: @escaping @Sendable (JobContext) async throws -> JobEnding
    ) async throws {
        let console = Console(format: options.logFormat)
        LoggingSystem.bootstrap { _ in
            ConsoleLogHandler(console: console, format: options.logFormat, logLevel: options.logLevel)
        }
        let logger = Logger(label: "subledger")
        let environment = ProcessInfo.processInfo.environment
        let path = ConfigurationFile.path(option: options.config, environment: environment)
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let interruption = Interruption()
        let work = Task {
            let configuration = try ConfigurationFile.load(path, environment: environment, reading: keys)
            let now = try LogicalClock.now(
                given: options.now ?? configuration.simulatedNow, wall: .currentSecond,
                isSimulated: configuration.isClockSimulated)
            let context = JobContext(
                configuration: configuration, now: now, isNowGiven: options.now ?? configuration.simulatedNow != nil,
                logger: logger,
                console: console, isQuiet: options.quiet)
            return try await body(context)
        }
        let watcher = Task { await interruption.watch(signals) { work.cancel() } }
        let result = await work.result
        watcher.cancel()
        do {
            try end(result, signal: interruption.signal, console)
            await ended(JobEnding.done.rawValue)
        } catch let code as ExitCode {
            await ended(code.rawValue)
            throw code
        }
    }

    /// The same of a job that is there before any configuration is.
    static func performWithoutConfiguration(_ body: (Console) throws -> JobEnding) throws {
        let console = Console()
        try end(Result { try body(console) }, signal: nil, console)
    }

    private static func end(_ result: Result<JobEnding, any Error>, signal: Int32?, _ console: Console) throws {
        switch (result, signal) {
        case (.success(let status), _):
            if let reason = console.lostResult {
                console.complain("the result could not be written to stdout: \(reason)")
                throw (status == .done ? JobEnding.failed : status).code
            }
            if status != .done { throw status.code }
        case (.failure, let signal?):
            console.complain("interrupted; what was done is kept, the next run goes on from there")
            throw JobEnding.interrupted(by: signal)
        case (.failure(let error), nil):
            console.complain(ErrorText.sentence(error), isPlain: error is UsageError)
            throw JobEnding(error).code
        }
    }
}

/// The signal that asked the job to stop, if one did.
private final class Interruption: Sendable {
    private let first = Mutex<Int32?>(nil)

    var signal: Int32? { first.withLock(\.self) }

    func watch(_ signals: UnixSignalsSequence, _ cancel: @Sendable () -> Void) async {
        for await signal in signals {
            let isSecond = first.withLock { first in
                defer { first = first ?? signal.rawValue }
                return first != nil
            }
            if isSecond { _exit(128 + signal.rawValue) }
            cancel()
        }
    }
}
