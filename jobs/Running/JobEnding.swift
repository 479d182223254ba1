// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Issues
import Postgres
import Runs

/// How the program ends: the one place that turns outcomes and errors into exit codes.
enum JobEnding: Int32, CaseIterable {
    case done = 0
    case failed = 1
    /// New dead letters, an app not finished while another was, bad lines beside good ones.
    case partial = 2
    /// Command line or configuration (sysexits' EX_USAGE).
    case usage = 64
    /// Already running, or something that may pass (sysexits' EX_TEMPFAIL).
    case tryLater = 75

    init(_ result: RunResult) {
        switch result.outcome {
        case .done: self = .done
        case .partial: self = .partial
        case .failed: self = result.mayPass ? .tryLater : .failed
        }
    }

    init(_ error: any Error) {
        switch error {
        case is UsageError: self = .usage
        case let error as PipelineError: self.init(error.kind)
        case let error as CitationError: self.init(error.disposition)
        case let error as PostgresError where error.code == .configuration: self = .usage
        case let error as PostgresError where error.code == .blocked: self = .tryLater
        default: self = PostgresError.Disposition(error) == .retry ? .tryLater : .failed
        }
    }

    private init(_ kind: PipelineError.Kind) {
        switch kind {
        case .alreadyRunning, .clockDiffers, .databaseBusy, .workLost: self = .tryLater
        case .clockRunsBackwards, .wrongTime, .unsuitableDatabase, .ownerNeeded: self = .usage
        case .schemaDiffers, .interrupted, .failed: self = .failed
        }
    }

    /// Ended by a signal, as shells count it.
    static func interrupted(by signal: Int32) -> ExitCode { ExitCode(128 + signal) }

    private init(_ disposition: CitationError.Disposition) {
        switch disposition {
        case .rename: self = .usage
        case .retry: self = .tryLater
        case .stop: self = .failed
        }
    }

    var code: ExitCode { ExitCode(rawValue) }

    /// For the help of every job.
    static let help = """
        Exit status: 0 done, 1 failed, 2 partial (something was set aside, or an app did not finish while another did), \
        64 wrong usage or configuration (nothing was touched), 75 already running or try later, 129, 130 or 143 interrupted.
        """
}
