// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import TestSupport
import Testing

/// A job that has come to its place, and what it waits for there.
struct CaughtJob: Sendable {
    let program: RunningProgram
    let holder: PostgresConnection

    /// It goes on, where it can.
    func release() async { await holder.close() }
}

extension Attack {
    func play(on life: AttackedLife) async throws {
        var random = FaultSeed(seed)
        switch family {
        case .kill where job == .send: try await killSender(life)
        case .kill: try await kill(life, &random)
        case .terminate: try await signal(SIGTERM, life, &random)
        case .interrupt: try await signal(SIGINT, life, &random)
        case .hangUp: try await signal(SIGHUP, life, &random)
        case .freeze: try await freeze(life, &random)
        case .backend: try await endSessions(life, &random)
        case .restart: try await stopServer(.fast, life, &random)
        case .powerCut: try await stopServer(.immediate, life, &random)
        case .failover: try await failOver(life, &random)
        case .staleFailover: try await failOverStale(life, &random)
        case .promotion: try await promote(life, &random)
        case .cut: try await cut(life, &random)
        case .halfOpen: try await silence(life, &random)
        case .lock: try await block(life, &random)
        case .byte: try await cutAtByte(life, &random)
        case .commit: try await loseAnswer(life, &random)
        case .theft: try await steal(life, &random)
        case .crowd: try await crowd(life)
        case .connections: try await takeConnections(life, &random)
        case .reportDisk: try await fillReports(life)
        case .databaseDisk: try await fillDatabase(life, &random)
        case .beside: try await runIntakeBeside(life, &random)
        case .store: try await harmStores(life, &random)
        case .poison: try await poison(life, &random)
        case .hosts: try await harmHosts(&random)
        case .quota: try await countQuota()
        }
    }

    /// Starts the job and waits until it is at the attack's place.
    func caught(_ life: AttackedLife, _ random: inout FaultSeed) async throws -> CaughtJob {
        guard let stage else { throw NightError("\(self) has no place") }
        let world = try await life.world()
        let point = family == .beside ? stage.pointForIntakes(&random) : stage.point(of: job, &random)
        let program = try await world.start(job.arguments(life.life), upTo: point)
        return CaughtJob(program: program, holder: world.connection)
    }

    /// What it comes to where the job is to go on by itself.
    func expectUndisturbed(_ result: CommandLineRun.Result, _ life: AttackedLife) async throws {
        #expect(result.exitCode == 0, "\(self): \(result.standardError.suffix(3_000))")
        if result.exitCode == 75 { try await expectMadeGood(life) } else { try await life.expectUnbroken(job, self) }
    }

    /// The next start by the rule of schedules leaves everything as it should be.
    ///
    /// `isIssuedTwice`: the record of an issue may be lost, and its date have another one beside it.
    @discardableResult
    func expectMadeGood(
        _ life: AttackedLife, byContent: Bool = false, isIssuedTwice: Bool = false
    ) async throws -> CommandLineRun.Result {
        let again = try await life.makeGood(job)
        #expect(again.exitCode == 0, "\(self), started again: \(again.standardError.suffix(3_000))")
        try await life.expectUnbroken([job], byContent: byContent, isIssuedTwice: isIssuedTwice, self)
        return again
    }

    /// It ended with one of these.
    func expect(_ result: CommandLineRun.Result, endedWith allowed: Set<Int32>) {
        #expect(
            allowed.contains(result.exitCode),
            "\(self) ended with \(result.exitCode): \(result.standardError.suffix(3_000))")
    }
}
