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
        var options = NightlyOptions(now: Self.march, reportDirectory: "", timeZone: .utc)
        options.workers = 1
        let run = Run(id: 1, job: .nightly, now: Self.march, generation: 1, isResumed: false)
        try await NightHost(
            NightHost.Identity(run, isLeading: true), apps: [store.app], options: options, until: nil,
            sessions: sessions, logger: log.logger, progress: Unwatched()
        ).work()
    }

    struct Unwatched: NightProgress {
        func planned(app: AppID, due: Int) {}
        func advanced(app: AppID, by count: Int) {}
        func finished() {}
    }
}
