// SPDX-License-Identifier: Apache-2.0

import Extract
import Model
import Postgres
import Runs
import Stores
import TestSupport

@testable import Nightly

extension ChunkWorld {
    /// A night of 1 March that a process elsewhere leads: planned, in chunks of ten, and nothing asked.
    func plannedNight() async throws -> (run: Run, ledger: RunLedger) {
        let ledger = RunLedger(connection: connection, leader: Leader(host: "elsewhere", processID: 1))
        let options = hostOptions
        let run = try await ledger.open(
            .nightly, apps: [Self.app], now: options.now, businessDate: options.businessDate)
        let plan = ExtractStage.Plan(
            runID: run.id, generation: run.generation, appID: Self.app, now: run.now, isAudit: false)
        _ = try await ExtractStage(connection: connection).plan(plan, chunkSize: 10)
        return (run, ledger)
    }

    func wait(until statement: String, is expected: [String]) async throws {
        while try await connection.lines(statement) != expected { try await Task.sleep(for: .milliseconds(5)) }
    }

    var hostOptions: NightlyOptions {
        var options = NightlyOptions(now: Self.march + .days(1), reportDirectory: "", timeZone: .utc)
        (options.reports, options.chunkSize, options.workers) = (false, 10, 1)
        return options
    }

    /// A process that works along with a night, or leads it.
    func host(of run: Run, asking app: StoreApp, isLeading: Bool = false) async throws -> NightHost {
        try await NightHost(
            NightHost.Identity(run, isLeading: isLeading), apps: [app], options: hostOptions, until: nil,
            sessions: sessions,
            logger: log.logger, progress: Unwatched())
    }

    /// What `work` does, with stores of its own.
    func work(along store: some Store, waiting wait: Duration) async throws -> NightWork.Ending {
        try await NightWork(
            sessions: sessions, apps: [store.appID], options: hostOptions, waiting: wait, logger: log.logger,
            progress: Unwatched()
        ) { _, work in try await work([store.app]) }.run()
    }
}
