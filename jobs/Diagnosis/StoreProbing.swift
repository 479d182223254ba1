// SPDX-License-Identifier: Apache-2.0

import AppStore
import Diagnosis
import Foundations
import Model
import Runs
import Stores
import Synchronization

/// Asks each app's store one question an endpoint, at the pace that all jobs share.
final class StoreProbing: Sendable {
    /// So many apps at once.
    private static let width = 8
    /// A second try tells a cut connection from a store that is away.
    private static let backoff = Backoff(attempts: 2)

    private let context: JobContext
    private let factory: StoreFactory
    private let found = Mutex<[AppID: ClockFacts.Other]>([:])

    init(_ context: JobContext) {
        self.context = context
        factory = StoreFactory(
            context.configuration, now: context.now, backoff: Self.backoff, logger: context.logger)
    }

    /// The clocks of the stores that were asked, in the order of the apps.
    var clocks: ClockFacts {
        let found = found.withLock(\.self)
        return ClockFacts(stores: context.configuration.apps.compactMap { found[$0.id] })
    }

    /// None is asked.
    func skipped(_ reason: String) -> [StoreFacts] {
        context.activeApps.map { StoreFacts(app: $0.id, outcome: .skipped(reason)) }
    }

    /// `sessions`: over which shares of the quotas are leased; nil: no other job can be at work.
    func facts(through sessions: DatabaseSessions?) async throws -> [StoreFacts] {
        guard let sessions else { return await facts() }
        return try await factory.sharingPace(through: QuotaSlices(sessions, isPreferred: true)) { await facts() }
    }

    /// The same at a pace of its own.
    func facts() async -> [StoreFacts] {
        let prepared = context.activeApps.map(prepare)
        return await withTaskGroup(of: (Int, StoreFacts).self) { group in
            var (facts, next) = ([Int: StoreFacts](), 0)
            func ask() {
                guard next < prepared.count else { return }
                let (index, app) = (next, prepared[next])
                next += 1
                group.addTask { (index, await self.facts(of: app)) }
            }
            for _ in 0..<Self.width { ask() }
            for await (index, found) in group {
                facts[index] = found
                ask()
            }
            return prepared.indices.compactMap { facts[$0] }
        }
    }

    private enum Prepared: Sendable {
        case ready(StoreApp)
        case known(StoreFacts)
    }

    private func prepare(_ app: AppConfiguration) -> Prepared {
        // What was found of its files are lines of their own.
        if case .unusable = app.files {
            return .known(StoreFacts(app: app.id, outcome: .skipped("not asked: a file that it names cannot be used")))
        }
        let ready = factory.app(app)
        guard let refusal = ready.store.refusal else { return .ready(ready) }
        return .known(StoreFacts(app: app.id, outcome: .unusable(refusal.message)))
    }

    private func facts(of prepared: Prepared) async -> StoreFacts {
        switch prepared {
        case .known(let facts): facts
        case .ready(let app): await probe(app)
        }
    }

    private func probe(_ app: StoreApp) async -> StoreFacts {
        let probes = await app.store.probe(through: app.client)
        let now = Instant.currentSecond
        if let clock = probes.lazy.compactMap(\.storeClock).first {
            let other = ClockFacts.Other(name: "the store of app \(app.id)", ahead: now - clock)
            found.withLock { $0[app.id] = other }
        }
        return StoreFacts(app: app.id, outcome: .probed(probes))
    }
}
