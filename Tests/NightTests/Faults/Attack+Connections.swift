// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import TestSupport
import Testing

/// Attacks on what is between the program and the database: it goes on.
extension Attack {
    /// All sessions of the program are ended, as by an administrator; or those that wait for a lock.
    static func endSessions(_ life: AttackedLife, onlyWaiting: Bool = false) async throws {
        let administrator = try await life.connect(asAdministrator: true)
        try await administrator.script(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name <> '\(AttackedLife.sessionName)'
                and (not \(onlyWaiting) or cardinality(pg_blocking_pids(pid)) > 0)
            """)
    }

    func endSessions(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        let caught = try await caught(life, &random)
        try await Self.endSessions(life, onlyWaiting: random.number(0...1) == 0)
        await caught.release()
        try await expectUndisturbed(await caught.program.result(), life)
    }

    func stopServer(_ manner: TestCluster.Stop, _ life: AttackedLife, _ random: inout FaultSeed) async throws {
        let caught = try await caught(life, &random)
        try await life.life.cluster.stop(manner)
        try await Task.sleep(for: .milliseconds(random.number(0...2_000)))
        _ = try await life.life.cluster.configuration()
        await caught.release()
        try await expectUndisturbed(await caught.program.result(), life)
    }

    func cut(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        let caught = try await caught(life, &random)
        life.proxy.cutAll()
        if random.number(0...1) == 0 {
            life.proxy.refuse()
            try await Task.sleep(for: .milliseconds(random.number(0...2_000)))
            try life.proxy.admit()
        }
        await caught.release()
        try await expectUndisturbed(await caught.program.result(), life)
    }

    /// Without an answer for the watchdog's time the session is looked for, and another one is made.
    func silence(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        try life.configure([Self.watched])
        let caught = try await caught(life, &random)
        life.proxy.silenceAll(losingServer: random.number(0...1) == 0)
        await caught.release()
        try await expectUndisturbed(await caught.program.result(), life)
    }

    private static let watched = ("retry_for: 60s", "retry_for: 60s, watchdog: 2s")

    /// It is said who blocks, and waited for.
    func block(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        let caught = try await caught(life, &random)
        let blocker = try await caught.holder.lines("select pg_backend_pid() as it").first ?? ""
        let sentence = "process \(blocker) of the server"
        // After ten seconds, says the first line.
        for _ in 0..<600 where !caught.program.errorsSoFar.contains(sentence) {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(caught.program.errorsSoFar.contains(sentence), "\(self): it is not said who blocks")
        await caught.release()
        try await expectUndisturbed(await caught.program.result(), life)
    }

    func cutAtByte(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        let bytes = try await life.life.unbroken(job).bytes
        let direction = random.of(CuttingProxy.Direction.allCases)
        life.proxy.plan(.cut, at: .byte(random.number(1...(bytes[direction] ?? 2) - 1), direction))
        try await expectUndisturbed(try await life.run(job), life)
        #expect(life.proxy.struck == 1, "\(self)")
    }

    /// It is looked up whether it was done.
    func loseAnswer(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        life.proxy.plan(.answerLost, at: .commit(random.number(1...12)))
        try await expectUndisturbed(try await life.run(job), life)
        #expect(life.proxy.struck == 1, "\(self)")
    }

    /// One sentence says how many it takes.
    ///
    /// With one for its lease and one for its work it goes on.
    func takeConnections(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        try life.configure([("retry_for: 60s", "retry_for: 2s")])
        let limit = random.number(0...3)
        try await life.life.administer("alter role \(FaultLife.role) connection limit \(limit)")
        let night = try await life.run(job)
        try await life.life.administer("alter role \(FaultLife.role) connection limit -1")
        let isSaid = night.standardError.contains("this job takes up to 4 connections")
        if limit < 3 { #expect(isSaid, "\(self): \(night.standardError)") }
        #expect(!night.standardError.contains("check that the server runs"), "\(self): it runs")
        guard limit < 2 else { return try await expectUndisturbed(night, life) }
        expect(night, endedWith: [75])
        try await expectMadeGood(life)
    }
}
