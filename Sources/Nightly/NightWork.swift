// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
internal import Postgres
package import Runs
internal import Stores

/// Works along with nights that other processes lead: joins the oldest open one of its apps, works over all its rounds until it is
/// sealed, then looks for the next.
///
/// It neither opens, leads, closes nor seals a run, and writes no report.
package struct NightWork: Sendable {
    /// What the work came to.
    package enum Ending: Hashable, Sendable {
        /// Each night that it joined is sealed, or one was since the waiting began.
        case sealed
        /// None opened: each of the apps has had its business date.
        case alreadyDone
        /// None opened in time.
        case noNight
        /// Nothing is left to be done for a night that has had no leader for as long as one is waited for.
        case leaderless(run: Int64)
    }

    /// Gives what is to be asked with to the work for a night of that logical now, while it goes on.
    package typealias Equipping =
        @Sendable (_ now: Instant, _ work: @Sendable ([StoreApp]) async throws -> Ending) async throws -> Ending

    /// Between two looks at a night, or for one.
    private static let pause = Duration.seconds(1)

    private let sessions: DatabaseSessions
    private let apps: [AppID]
    private let options: NightlyOptions
    private let wait: Duration
    private let logger: Logger
    private let progress: any NightProgress
    private let equip: Equipping

    /// `sessions`: with the database, whose schema is this program's.
    ///
    /// `options`: of them the logical now, by which a business date is had, workers, leases and the time zone count.
    /// `wait`: how long a night is waited for, and a leader of one that has none.
    /// `equip`: makes the stores for a night's own clock.
    package init(
        sessions: DatabaseSessions, apps: [AppID], options: NightlyOptions, waiting wait: Duration, logger: Logger,
        progress: any NightProgress, equipping equip: @escaping Equipping
    ) {
        self.sessions = sessions
        self.apps = apps
        self.options = options
        self.wait = wait
        self.logger = logger
        self.progress = progress
        self.equip = equip
    }

    /// Throws `PostgresError`, and what `equip` throws.
    package func run() async throws -> Ending {
        let began = try await sessions.use { try await DatabaseClock.read(on: $0) }
        let end = ContinuousClock.now + wait
        var hasWorked = false
        while true {
            if let night = try await ledger({ try await $0.nightToJoin(of: apps) }) {
                let ending = try await join(night)
                guard ending == .sealed else { return ending }
                hasWorked = true
                continue
            }
            if hasWorked { return .sealed }
            if try await wasNightSealed(since: began) { return .sealed }
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return try await haveHadDate() ? .alreadyDone : .noNight }
            try await Task.sleep(for: min(left, Self.pause))
        }
    }

    private func wasNightSealed(since began: Instant) async throws -> Bool {
        try await ledger { try await $0.wasNightSealed(of: apps, since: began) }
    }

    private func haveHadDate() async throws -> Bool {
        try await ledger { try await $0.haveHad(options.businessDate, apps) }
    }

    private func ledger<Value>(_ body: (RunLedger) async throws -> Value) async throws -> Value {
        try await sessions.use { try await body(RunLedger(connection: $0)) }
    }

    private func join(_ night: Run) async throws -> Ending {
        logger.notice("run \(night.id): working along", metadata: ["now": "\(night.now.iso8601)"])
        return try await equip(night.now) { configured in
            // What this host lacks another one may have: the night goes on with the app.
            let apps = configured.filter { $0.store.refusal == nil }
            for app in configured {
                guard let refusal = app.store.refusal else { continue }
                logger.error("this host cannot ask app \(app.id): \(refusal)", metadata: ["app": "\(app.id)"])
            }
            let host = try await NightHost(
                NightHost.Identity(night, isLeading: false), apps: apps, options: options, until: nil,
                sessions: sessions, logger: logger, progress: progress)
            // Where it freezes in the middle of a load, others end what it has locked.
            await sessions.name(SessionName(ofHost: host.identity.name))
            return try await host.exchange.maintain { try await workUntilSealed(host) }
        }
    }

    private func workUntilSealed(_ host: NightHost) async throws -> Ending {
        var ledSince = ContinuousClock.now
        while let night = try await ledger({ try await $0.look(at: host.run) }), night.isOpen {
            try await host.work()
            if night.isLed { ledSince = .now }
            guard .now < ledSince + wait else { return .leaderless(run: host.run.id) }
            try await Task.sleep(for: Self.pause)
        }
        progress.finished()
        return .sealed
    }
}
