// SPDX-License-Identifier: Apache-2.0

import Fetch
import Model
import Stores
import TestSupport

@testable import Nightly
@testable import Runs

extension ChunkWorld {
    /// Has one worker walk through the chunks of run 1, until none is left.
    func work(asking store: some Store) async throws {
        let options = NightlyOptions(now: Self.march, reportDirectory: "", timeZone: .utc)
        let night = NightlyRun(
            sessions: sessions, apps: [store.app], options: options, logger: log.logger, progress: Unwatched()
        ) { _, _, _ in [:] }
        let run = Run(id: 1, job: .nightly, now: Self.march, generation: 1, isResumed: false)
        try await ChunkWorker(
            night: night, run: run, stops: StoppedApps(), deferred: DeferredChecks(),
            leases: ChunkLeases(of: 1, seconds: 120, sessions: sessions, logger: log.logger), name: "worker",
            home: store.appID,
            gate: ChunkGate(memory: MemoryBudget(bytes: 48_000_000), readers: 2)
        ).work()
    }

    struct Unwatched: NightProgress {
        func planned(app: AppID, due: Int) {}
        func advanced(app: AppID, by count: Int) {}
        func finished() {}
    }
}
