// SPDX-License-Identifier: Apache-2.0

import Fetch
import Model
import Runs

/// The workers of a host: one of each app that has chunks, and helpers where there is most to do.
///
/// What is planned while they work, or free because another host died, gets a worker then.
struct NightWorkers {
    /// What a worker is for.
    private enum Place: Hashable {
        case home(AppID)
        case helper(Int)
    }

    private enum Step {
        case worked(Place, chunks: Int)
        /// It is time to look for what is free.
        case tick
    }

    private let host: NightHost
    private let leases: ChunkLeases
    private let gate: ChunkGate
    private var running: Set<Place> = []
    private var isTicking = false
    /// How many chunks were claimed since there was one to be claimed.
    private var claimed = 0

    init(host: NightHost, leases: ChunkLeases) {
        self.host = host
        self.leases = leases
        // What answers and what is known take until they are loaded, of all chunks together.
        let memory = MemoryBudget(bytes: 32_000_000 + 8_000_000 * host.options.workers)
        gate = ChunkGate(memory: memory, readers: host.options.workers)
    }

    /// Until no chunk is free any more, or the time is over.
    func work() async throws {
        var workers = self
        try await withThrowingTaskGroup(of: Step.self) { group in
            while try await workers.start(in: &group) { try await workers.follow(&group) }
            group.cancelAll()
        }
    }

    /// False where there is nothing to do, and no worker at anything.
    private mutating func start(in group: inout ThrowingTaskGroup<Step, any Error>) async throws -> Bool {
        let apps = host.time.isOver ? [] : try await host.claimableApps()
        for place in places(for: apps) where running.insert(place).inserted {
            let worker = worker(at: place)
            group.addTask { .worked(place, chunks: try await worker.work()) }
        }
        return !running.isEmpty
    }

    private func places(for apps: [AppID]) -> [Place] {
        guard !apps.isEmpty else { return [] }
        return apps.map(Place.home) + (1..<max(host.options.workers, 1)).map(Place.helper)
    }

    private func worker(at place: Place) -> ChunkWorker {
        switch place {
        case .home(let app):
            ChunkWorker(host: host, leases: leases, name: "\(host.identity.name):\(app)", home: app, gate: gate)
        case .helper(let number):
            ChunkWorker(host: host, leases: leases, name: "\(host.identity.name):+\(number)", home: nil, gate: gate)
        }
    }

    /// Until it is time to look again: after a moment, or when all have ended.
    private mutating func follow(_ group: inout ThrowingTaskGroup<Step, any Error>) async throws {
        if !isTicking {
            isTicking = true
            group.addTask {
                try await Task.sleep(for: NightHost.pause)
                return .tick
            }
        }
        while isTicking, !running.isEmpty, let step = try await group.next() {
            switch step {
            case .worked(let place, let chunks):
                running.remove(place)
                claimed += chunks
            case .tick: isTicking = false
            }
        }
        guard running.isEmpty else { return }
        if claimed == 0 {
            try await host.freeChunks()
            try await Task.sleep(for: NightHost.pause)
        }
        claimed = 0
    }
}
