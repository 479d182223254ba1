// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import TestSupport
import Testing

/// Attacks on the process.
extension Attack {
    /// What its sessions were doing goes on in the server or is ended there, as it happens.
    func kill(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        guard stage != nil else { return try await killAtInstant(life, &random) }
        let caught = try await caught(life, &random)
        Foundation.kill(caught.program.processID, SIGKILL)
        let ended = await caught.program.result()
        expect(ended, endedWith: [137])
        if random.number(0...1) == 0 { try await Self.endSessions(life) }
        await caught.release()
        try await expectMadeGood(life)
    }

    private func killAtInstant(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        let length = try await life.life.unbroken(job).duration
        let program = try life.start(job)
        try await Task.sleep(for: length * random.number(0...100) / 100)
        Foundation.kill(program.processID, SIGKILL)
        let ended = await program.result()
        expect(ended, endedWith: [137, 0])
        try await expectMadeGood(life)
    }

    /// It leaves its run to the next start, which need not wait for the lease.
    func signal(_ signal: Int32, _ life: AttackedLife, _ random: inout FaultSeed) async throws {
        let caught = try await caught(life, &random)
        Foundation.kill(caught.program.processID, signal)
        try await Task.sleep(for: .milliseconds(random.number(0...300)))
        await caught.release()
        let ended = await caught.program.result()
        expect(ended, endedWith: [128 + signal, 0])
        let again = try await life.run(job)
        #expect(again.exitCode == 0, "\(self), started again: \(again.standardError.suffix(3_000))")
        try await life.expectUnbroken(job, self)
    }

    /// The successor goes on while it is stopped, and what it wakes up to write is refused.
    func freeze(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        let caught = try await caught(life, &random)
        Foundation.kill(caught.program.processID, SIGSTOP)
        // One that is still stopped hears nothing else.
        defer { if caught.program.isRunning { Foundation.kill(caught.program.processID, SIGKILL) } }
        await caught.release()
        try await life.waitForDeadLeases()
        let successor = try life.start(job)
        let isWokenEarly = random.number(0...1) == 0
        if isWokenEarly {
            try await Task.sleep(for: .milliseconds(random.number(0...1_500)))
        } else {
            let ended = await successor.result()
            expect(ended, endedWith: [0])
        }
        Foundation.kill(caught.program.processID, SIGCONT)
        let (frozen, ended) = (await caught.program.result(), await successor.result())
        // Where it had nothing left to do it may end well.
        expect(frozen, endedWith: [0, 75])
        expect(ended, endedWith: [0, 75])
        if isWokenEarly { try await expectMadeGood(life) } else { try await life.expectUnbroken(job, self) }
    }

    /// Twenty at once: one does it, the others say who, or that it is done.
    func crowd(_ life: AttackedLife) async throws {
        let programs = try (0..<20).map { _ in try life.start(job) }
        var ended: [CommandLineRun.Result] = []
        for program in programs { ended.append(await program.result()) }
        for result in ended { expect(result, endedWith: [0, 75]) }
        let session = try await life.connect()
        let now = NightWorld.instant(of: FaultLife.attackedNight)
        let runs = try await session.lines(
            "select count(*) from subledger.runs where job = '\(job)' and logical_now = '\(now.iso8601)'")
        if job == .nightly {
            #expect(runs == ["1"])
            #expect(ended.contains { $0.exitCode == 75 && $0.standardError.contains("process ") })
        }
        try await life.expectUnbroken(job, byContent: true, self)
    }

    /// Somebody else takes the run, and dies at once.
    func steal(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        let caught = try await caught(life, &random)
        let thief = try await life.connect()
        async let theft: Void = thief.script(
            """
            update subledger.runs set
                leader_generation = leader_generation + 1, process_id = 1,
                leased_until = clock_timestamp() + interval '\(AttackedLife.leaseSeconds) s'
            where outcome = 'running'
            """)
        // What it is doing may have the run locked.
        try await Task.sleep(for: .milliseconds(300))
        await caught.release()
        try await theft
        let robbed = await caught.program.result()
        expect(robbed, endedWith: [75])
        try await expectMadeGood(life)
    }

    /// It comes to what the two come to one after the other.
    ///
    /// At the seal the intake waits with the night, and is refused; it waits for a load of the same subscriptions, too.
    func runIntakeBeside(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        let caught = try await caught(life, &random)
        let isPassing = [.ask, .rename].contains(stage)
        if isPassing { Foundation.kill(caught.program.processID, SIGSTOP) }
        let (intake, world) = (try life.start(.intake), try await life.world())
        while intake.isRunning {
            if stage == .seal, try await world.waiting() > 1 { break }
            if stage == .load, try await world.isIntakeWaiting() { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        if isPassing { Foundation.kill(caught.program.processID, SIGCONT) }
        await caught.release()
        let (night, ended) = (await caught.program.result(), await intake.result())
        expect(night, endedWith: [0])
        expect(ended, endedWith: [0])
        // What waited for the load may find the run sealed.
        let own = try await world.ownRuns(ofIntakeAt: NightWorld.instant(of: FaultLife.attackedNight))
        let isSealed = [.seal, .rename].contains(stage) || stage == .load && !own.isEmpty
        try await life.expectUnbroken(isSealed ? [.nightly, .intake] : [.intake, .nightly], byContent: true, self)
    }
}
