// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import TestSupport
import Testing

/// Attacks on the server itself: it is lost for good, and a standby has its address.
extension Attack {
    /// Each commit waits for the standby: what was confirmed is there, and the night goes on over new sessions.
    func failOver(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        // What it is compared with is played while there is no standby to wait for.
        _ = try await life.life.unbroken(job)
        let (isReachedEarly, pause) = (random.number(0...1) == 0, Duration.milliseconds(random.number(0...2_000)))
        try await life.withStandby(isSynchronous: true) { standby in
            let caught = try await caught(life, &random)
            try await life.failOver(to: standby, reachedEarly: isReachedEarly, after: pause)
            await caught.release()
            try await expectUndisturbed(await caught.program.result(), life)
        }
    }

    /// No commit waits for the standby, and from some instant on it has heard of none.
    ///
    /// What it lacks is due again: the night asks it, or leaves it to the next start; no money is booked twice.
    func failOverStale(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        let whole = try await life.life.unbroken(job).bytes[.toServer] ?? 0
        // All of the run is lost, or what came after some of it.
        let limit = random.number(0...1) == 0 ? 0 : random.number(1...whole)
        let (isReachedEarly, pause) = (random.number(0...1) == 0, Duration.milliseconds(random.number(0...2_000)))
        try await life.withStandby(isSynchronous: false) { standby in
            let lagging = Task {
                while life.proxy.bytes(.toServer) < limit { try await Task.sleep(for: .milliseconds(1)) }
                standby.link.freeze()
            }
            if limit == 0 { try await lagging.value }
            let caught = try await caught(life, &random)
            lagging.cancel()
            standby.link.freeze()
            try await life.failOver(to: standby, reachedEarly: isReachedEarly, after: pause)
            await caught.release()
            expect(await caught.program.result(), endedWith: [0, 75])
            // What it issued before may be of a seal that the standby never heard of.
            try await expectMadeGood(life, byContent: true, isIssuedTwice: true)
        }
    }
}

extension AttackedLife {
    /// Plays with a standby of the life's server, which is up again afterwards, without one.
    ///
    /// `isSynchronous`: what the program's role commits is confirmed when the standby has it.
    func withStandby(isSynchronous: Bool, _ body: (StandbyServer) async throws -> Void) async throws {
        let standby = try await StandbyServer(following: life.cluster)
        let result: Result<Void, any Error>
        do {
            if isSynchronous { try await waitForEachCommit() }
            result = .success(try await body(standby))
        } catch {
            result = .failure(error)
        }
        await close()
        try await standby.remove()
        // Nobody confirms anything to it any more.
        try await life.administer("alter system reset synchronous_standby_names")
        try await life.administer("select pg_reload_conf()")
        try result.get()
    }

    private func waitForEachCommit() async throws {
        let administrator = try await connect(asAdministrator: true)
        try await administrator.script("alter system set synchronous_standby_names = '*'")
        try await administrator.script("select pg_reload_conf()")
        let confirming = "select pid from pg_stat_replication where sync_state = 'sync' and state = 'streaming'"
        while try await administrator.lines(confirming).isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    }

    /// The server is lost as in a power cut, and the standby promoted.
    ///
    /// `reachedEarly`: the program comes to it while it still follows.
    func failOver(
        to standby: StandbyServer, losing manner: TestCluster.Stop = .immediate, reachedEarly: Bool = false,
        after pause: Duration = .zero
    ) async throws {
        try await life.cluster.stop(manner)
        if reachedEarly { proxy.redirect(toSocket: standby.socketPath) }
        try await Task.sleep(for: pause)
        try await standby.promote()
        proxy.redirect(toSocket: standby.socketPath)
        move(to: standby.configuration)
    }
}
