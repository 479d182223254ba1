// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Attacks on the built program: `scripts/test --faults` makes them, each on a copy of the same life.
///
/// Afterwards tables and reports are those of an undisturbed run, and the program has ended as it should.
///
/// `SUBLEDGER_FAULTS_SEED` is the seed of all numbers, `SUBLEDGER_FAULTS` is `all` or what an attack's name begins with
/// (`kill`, `kill:nightly:load`); without it a selection is made of each family and each stage.
@Suite(.serialized, .faultLife) struct FaultTests {
    private static let environment = ProcessInfo.processInfo.environment
    static let seed = environment["SUBLEDGER_FAULTS_SEED"].flatMap { UInt64($0) } ?? 1

    static var attacks: [Attack] {
        switch environment["SUBLEDGER_FAULTS"] ?? "" {
        case "": AttackPlan.selection(seed: seed)
        case "all": AttackPlan.all(seed: seed)
        case let name: AttackPlan.all(seed: seed).filter { $0.name.hasPrefix(name) }
        }
    }

    /// Each by itself has a time: one that hangs is an attack that was not withstood.
    @Test(.timeLimit(.minutes(3)), arguments: attacks)
    func `what is attacked ends as if nothing had been`(
        attack: Attack
    ) async throws {
        let life = try #require(FaultLifeScope.life)
        let started = ContinuousClock.now
        try await life.attack { try await attack.play(on: $0) }
        let seconds = Double((ContinuousClock.now - started) / .milliseconds(100)).rounded() / 10
        print("\(attack): \(seconds) s")
    }
}

/// One life for all attacks.
struct FaultLifeScope: SuiteTrait, TestScoping {
    @TaskLocal static var life: FaultLife?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await FaultLife.with { life in
            try await Self.$life.withValue(life) { try await function() }
        }
    }
}

extension Trait where Self == FaultLifeScope {
    static var faultLife: Self { Self() }
}
