// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import TestSupport
import Testing

/// Attacks on what is between the program and the database: it goes on.
extension Attack {
    /// All sessions of the program's are ended, as by an administrator.
    static func endSessions(_ life: AttackedLife) async throws {
        try await endSessions(
            life, where: "backend_type = 'client backend' and client_addr is null and usename = '\(FaultLife.role)'")
    }

    private static func endSessions(_ life: AttackedLife, where condition: String) async throws {
        let administrator = try await life.connect(asAdministrator: true)
        try await administrator.script(
            "select pg_terminate_backend(pid) from pg_stat_activity "
                + "where datname = current_database() and application_name like 'subledger%' and \(condition)")
    }

    /// Those that wait for a lock, or all that are not the test's own.
    func endSessions(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        let caught = try await caught(life, &random)
        let waiting = "cardinality(pg_blocking_pids(pid)) > 0"
        try await Self.endSessions(
            life, where: random.number(0...1) == 0 ? waiting : "pid <> all (array(\(Self.holders)))")
        await caught.release()
        try await expectUndisturbed(await caught.program.result(), life)
    }

    private static let holders = "select pid from pg_locks where locktype = 'advisory' and granted"

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
    func takeConnections(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        try life.configure([("retry_for: 60s", "retry_for: 2s")])
        try await life.life.administer("alter role \(FaultLife.role) connection limit \(random.number(0...3))")
        let refused = try await life.run(job)
        try await life.life.administer("alter role \(FaultLife.role) connection limit -1")
        expect(refused, endedWith: [75])
        #expect(refused.standardError.contains("connections"), "\(self): \(refused.standardError)")
        try await expectMadeGood(life)
    }
}
