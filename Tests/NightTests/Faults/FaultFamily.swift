// SPDX-License-Identifier: Apache-2.0

/// A kind of attack.
enum FaultFamily: String, CaseIterable, Sendable {
    /// kill -9, at a named place or at a seeded instant.
    case kill
    case terminate, interrupt, hangUp
    /// Stopped until its lease is over, and woken beside its successor.
    case freeze
    /// Its sessions are ended by the server.
    case backend
    /// The server is restarted: in good order, or as after a power cut.
    case restart, powerCut
    /// The server is lost, and its standby takes its place at the same address: with all that was confirmed, or without what came last.
    case failover, staleFailover
    /// It is lost when the night is over, of which its standby has a part: the standby is promoted, and the program started again.
    case promotion
    /// All its connections are cut at a place, or one of them at a byte.
    case cut, byte
    /// All its connections are half-open: what is said is lost, and nobody is told.
    case halfOpen
    /// Somebody's session blocks it.
    case lock
    /// A commit is done, and its answer is lost.
    case commit
    /// Its run is taken over by somebody else, who then dies.
    case theft
    /// Many start at once.
    case crowd
    /// The server has no connection left for it.
    case connections
    /// The folder of the reports, or the disk of the database, is full.
    case reportDisk, databaseDisk
    /// Answers of the stores are errors, are cut, or come late.
    case store
    /// The database refuses rows of one subscription for what is in them.
    case poison
    /// An intake works beside it.
    case beside
    /// One of its three hosts is killed, one frozen past its lease, one cut off from the database.
    case hosts
    /// Three hosts share one quota, and the store counts.
    case quota

    /// Which jobs it befalls where; nil: nowhere in particular.
    var places: [(job: FaultJob, stage: FaultStage?)] {
        switch self {
        case .kill:
            FaultJob.allCases.flatMap { job in job.stages.map { (job, $0) } }
                + Array(repeating: (.nightly, nil), count: 8)
        case .backend:
            FaultJob.allCases.filter { $0 != .send }.flatMap { job in job.stages.map { (job, $0) } }
        case .terminate, .interrupt, .hangUp, .freeze, .restart, .powerCut, .cut, .failover:
            FaultJob.nightly.stages.map { (.nightly, $0) }
        case .beside: FaultJob.nightly.stages.filter { $0 != .report }.map { (.nightly, $0) }
        case .halfOpen, .lock: FaultJob.nightly.stages.filter { ![.ask, .rename].contains($0) }.map { (.nightly, $0) }
        case .byte, .commit: Array(repeating: (.nightly, nil), count: 8)
        case .staleFailover: [.claim, .ask, .load, .seal, .report, .rename].map { (.nightly, $0) }
        case .promotion: [.plan, .load, .seal].map { (.nightly, $0) }
        case .theft: [.claim, .ask, .load, .report].map { (.nightly, $0) }
        case .crowd: [(.nightly, nil), (.intake, nil)]
        case .connections: Array(repeating: (.nightly, nil), count: 4)
        case .reportDisk: [(.nightly, .report), (.report, .report)]
        case .databaseDisk: [(.nightly, .load), (.nightly, .seal)]
        case .store: Array(repeating: (.nightly, .ask), count: 8)
        case .hosts: [.ask, .load, .ask, .load].map { (.nightly, $0) }
        case .quota: [(.nightly, .ask)]
        case .poison: [.nightly, .nightly, .nightly, .intake, .intake].map { ($0, .load) }
        }
    }
}

/// One attack: what happens to which job where, with numbers of its own.
struct Attack: Sendable, Hashable, CustomStringConvertible {
    let family: FaultFamily
    let job: FaultJob
    let stage: FaultStage?
    let seed: UInt64

    /// What `--only` finds it by, and its seed.
    var description: String { "\(name) (seed \(seed))" }
    var name: String { [family.rawValue, job.rawValue, stage?.rawValue].compactMap(\.self).joined(separator: ":") }
}

/// Which attacks are made.
enum AttackPlan {
    /// Every family at all its places.
    static func all(seed: UInt64) -> [Attack] {
        var random = FaultSeed(seed)
        return FaultFamily.allCases.flatMap { family in
            family.places.map { Attack(family: family, job: $0.job, stage: $0.stage, seed: random.next() % 1_000_000) }
        }
    }

    /// Counts what a minute of a quota was used for, which needs a machine that does nothing else.
    static let counting: Set<FaultFamily> = [.quota]

    /// One of each family but those that count, which together come to each stage.
    static func selection(seed: UInt64) -> [Attack] {
        var random = FaultSeed(seed)
        let all = all(seed: seed).shuffled(using: &random)
        var chosen: [Attack] = []
        // Where it can come to fewest stages the choice is least.
        let families = FaultFamily.allCases.filter { !counting.contains($0) }.sorted {
            stages(of: $0).count < stages(of: $1).count
        }
        for family in families {
            let covered = Set(chosen.map(\.stage))
            // Only a kill comes to the sender, which is chosen last: or nothing else would ever be killed.
            let own = all.filter { $0.family == family && $0.stage != .send }
            if let next = own.first(where: { !covered.contains($0.stage) }) ?? own.first { chosen.append(next) }
        }
        let covered = Set(chosen.map(\.stage))
        for stage in FaultStage.allCases where !covered.contains(stage) {
            if let next = all.first(where: { $0.stage == stage }) { chosen.append(next) }
        }
        return chosen
    }

    private static func stages(of family: FaultFamily) -> Set<FaultStage?> { Set(family.places.map(\.stage)) }
}
