// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import TestSupport
import Testing

@testable import StoreSimulator

/// Attacks on one night's hosts, each in a network of its own.
extension Attack {
    /// Four chunks of five hundred, which three hosts ask at their common pace for some eight seconds.
    private static let customers = 1_600
    private static let rate = 200

    /// One host is killed, one is frozen past its lease and woken, one is cut off from the database meanwhile.
    ///
    /// Which of them leads is the seed's; a fourth leads on.
    func harmHosts(_ random: inout FaultSeed) async throws {
        let roles = Array(1...3).shuffled(using: &random)
        let pause = Duration.milliseconds(random.number(4_000...7_000))
        try await HostLife.with(customers: Self.customers, rate: Self.rate) { life in
            let expected = try await life.ofOneHost()
            try await life.copy(named: "hosts") { world in
                let configuration = try life.configuration(of: "hosts")
                try await expectRefusedForItsClock(life, configuration)
                if stage == .load { try await world.connection.script(Self.holdingLoads) }
                let hosts = [
                    try life.lead(on: 1, configuration), try life.work(on: 2, configuration),
                    try life.work(on: 3, configuration),
                ]
                defer { for host in hosts where host.isRunning { Foundation.kill(host.processID, SIGKILL) } }
                try await waitUntilEachWorks(hosts, in: world)
                let harmed = HarmedHosts(roles: roles, programs: hosts)
                try await harm(harmed, of: life, in: world, for: pause)
                try await makeGood(life, configuration, in: world)
                let tables = try await world.checksums()
                let differing = tables.keys.filter { tables[$0] != expected.tables[$0] }.sorted()
                #expect(differing == [], "\(self): tables differ from those of one host")
                let checks = try await life.checks(in: world)
                #expect(checks == expected.checks, "\(self): checks are counted otherwise than by one host")
                let again = "select count(*) > 0 from subledger.run_chunks where attempts > 1 and state = 'done'"
                #expect(try await world.connection.lines(again) == ["true"], "\(self): nobody's chunk was taken over")
            }
        }
    }

    private static let holdingLoads = """
        select pg_advisory_lock(4711);
        create function public.hold() returns trigger language plpgsql as $hold$
        begin
            perform pg_advisory_xact_lock_shared(4711);
            return null;
        end $hold$;
        create trigger hold after insert on subledger.ledger_entries for each statement execute function public.hold()
        """

    /// It asks nobody anything.
    private func expectRefusedForItsClock(_ life: HostLife, _ configuration: String) async throws {
        let asked = life.stores.quotas.counters.requests
        let refused = try await life.workAnHourFast(on: 4, configuration)
        expect(refused, endedWith: [75])
        #expect(refused.standardError.contains("minutes apart"), "\(self): \(refused.standardError)")
        #expect(life.stores.quotas.counters.requests == asked, "\(self)")
    }

    /// Each has a chunk, and where loads are held is in one.
    private func waitUntilEachWorks(_ hosts: [RunningProgram], in world: NightWorld) async throws {
        let atWork = """
            select count(distinct split_part(leased_by, ':', 2)) = \(hosts.count) as it
            from subledger.run_chunks where state = 'leased'
            """
        let isLoading = """
            select count(*) = \(hosts.count) as it from pg_locks
            where not granted and locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
            """
        while try await world.connection.lines(stage == .load ? isLoading : atWork) != ["true"] {
            if let ended = hosts.first(where: { !$0.isRunning }) {
                throw NightError("\(self): a host ended before all worked: \(ended.errorsSoFar.suffix(2_000))")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// When it is over the two that are left end by themselves.
    private func harm(
        _ hosts: HarmedHosts, of life: HostLife, in world: NightWorld, for pause: Duration
    ) async throws {
        Foundation.kill(hosts.killed.processID, SIGKILL)
        Foundation.kill(hosts.frozen.processID, SIGSTOP)
        try await life.network.cut(hosts.cutOff)
        if stage == .load { try await world.connection.script("select pg_advisory_unlock(4711)") }
        try await Task.sleep(for: pause)
        // Whoever led does no more.
        let successor = try life.lead(on: 4, try life.configuration(of: "hosts"))
        try await Task.sleep(for: .seconds(1))
        try await life.network.heal(hosts.cutOff)
        Foundation.kill(hosts.frozen.processID, SIGCONT)
        expect(await hosts.killed.result(), endedWith: [137])
        expect(await successor.result(), endedWith: [0, 75])
        expect(await hosts.cut.result(), endedWith: [0, 75])
        expect(await hosts.frozen.result(), endedWith: [0, 75])
    }

    /// The rule of schedules: started until it is done.
    private func makeGood(_ life: HostLife, _ configuration: String, in world: NightWorld) async throws {
        let alive = "select run_id from subledger.runs where outcome = 'running' and leased_until > clock_timestamp()"
        while try await !world.connection.lines(alive).isEmpty { try await Task.sleep(for: .milliseconds(50)) }
        expect(await (try life.lead(on: 4, configuration)).result(), endedWith: [0])
    }

    // MARK: - Their common quota

    /// Three hosts use the rate for a minute, and never more than the rate and the burst, as the store counts it.
    func countQuota() async throws {
        let (rate, seconds) = (40, 60)
        // Six chunks, two for each host: nine seconds more than a minute.
        try await HostLife.with(customers: rate * (seconds + 9), rate: rate) { life in
            let most = rate * seconds + rate
            life.stores.quotas.setLimit(Quotas.Limit(requests: most, seconds: Int64(seconds)))
            try await life.copy(named: "quota") { world in
                let configuration = try life.configuration(of: "quota")
                let hosts = [
                    try life.lead(on: 1, configuration, workers: 2), try life.work(on: 2, configuration, workers: 2),
                    try life.work(on: 3, configuration, workers: 2),
                ]
                for host in hosts { expect(await host.result(), endedWith: [0]) }
                let counted = life.stores.quotas.counters
                #expect(counted.refused == 0, "\(self): more than \(most) in \(seconds) s")
                let statuses = counted.most["statuses"] ?? 0
                #expect(
                    statuses * 100 >= rate * seconds * 99, "\(self): \(statuses) of \(rate * seconds) in \(seconds) s")
                let working = "select count(distinct host_name) from subledger.run_hosts where checks > 0"
                #expect(try await world.connection.lines(working) == ["3"], "\(self)")
            }
        }
    }
}

/// Which host bears what.
private struct HarmedHosts {
    /// The three, in the order: killed, frozen, cut off.
    let roles: [Int]
    let programs: [RunningProgram]

    var killed: RunningProgram { programs[roles[0] - 1] }
    var frozen: RunningProgram { programs[roles[1] - 1] }
    var cut: RunningProgram { programs[roles[2] - 1] }
    var cutOff: Int { roles[2] }
}
