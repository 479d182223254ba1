// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model

/// What is attacked: a job, at the time of the attacked night.
enum FaultJob: String, CaseIterable, Sendable, CustomStringConvertible {
    /// As schedules start it, every time.
    case nightly
    case intake, notifications
    case `import`, report, send

    var description: String { rawValue }

    func arguments(_ life: FaultLife) -> [String] {
        let now = NightWorld.instant(of: FaultLife.attackedNight)
        switch self {
        case .nightly: return ["nightly", "--once", "--now", now.iso8601]
        case .intake, .notifications, .report: return [rawValue, "--now", now.iso8601]
        case .import: return ["import", "subscriptions", life.importFile, "--now", now.iso8601]
        // An issue of eighteen days ago is old news.
        case .send: return ["report", "--send", "--now", FaultLife.noon.iso8601]
        }
    }

    /// Where it can be caught.
    var stages: [FaultStage] {
        switch self {
        case .nightly: [.plan, .claim, .ask, .load, .seal, .report, .rename]
        case .intake: [.ask, .load, .seal]
        case .notifications, .import: [.seal]
        case .report: [.seal, .report, .rename]
        case .send: [.send]
        }
    }
}

/// Where in a job an attack comes.
enum FaultStage: String, CaseIterable, Sendable {
    case plan, claim, ask, load, seal, report, rename, send

    /// A place in it.
    func point(of job: FaultJob, _ random: inout FaultSeed) -> KillPoint {
        switch self {
        case .plan: random.of([.select, .plan])
        case .claim: .claim
        case .ask: job == .nightly ? random.of([.token, .answer(random.number(1...20))]) : .answer(1)
        case .load: job == .nightly ? random.of(Self.loading + [.copiedRow(random.number(1...9))]) : .ledger
        case .seal: .seal
        case .report: .report
        case .rename: random.of([.reportRename, .issue])
        case .send: .answer(0)
        }
    }

    /// A place in a night that locks nothing which an intake needs.
    func pointForIntakes(_ random: inout FaultSeed) -> KillPoint {
        switch self {
        case .plan: .plan
        case .rename: .reportRename
        default: point(of: .nightly, &random)
        }
    }

    private static let loading: [KillPoint] = [.ledger, .beforeCommit, .afterCommit]
}

/// Numbers that one seed gives, the same on every machine (SplitMix64).
struct FaultSeed: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func of<Element>(_ elements: [Element]) -> Element { elements[number(0...elements.count - 1)] }
}
