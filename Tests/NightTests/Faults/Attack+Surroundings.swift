// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import StoreSimulator
import TestSupport
import Testing

/// Attacks on disks, stores and chats.
extension Attack {
    /// What is loaded stays, the report is owed, and is written when there is room.
    func fillReports(_ life: AttackedLife) async throws {
        let (refused, left) = try await life.runWithSmallReports(job)
        expect(refused, endedWith: [1])
        #expect(refused.standardError.contains("No space left on device"), "\(self): \(refused.standardError)")
        #expect(left == "", "\(self): a part of a report is left")
        try await expectMadeGood(life)
    }

    func fillDatabase(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        try await SmallDisk.with(megabytes: 96) { disk in
            try await life.move(to: disk)
            let caught = try await caught(life, &random)
            try disk.fill()
            await caught.release()
            let refused = await caught.program.result()
            expect(refused, endedWith: [1])
            #expect(refused.standardError.contains("free space on the database server"), "\(self)")
            try disk.empty()
            try await expectMadeGood(life)
            try await life.moveBack(from: disk)
        }
    }

    /// Fewer than are retried.
    func harmStores(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        let endpoints = ["statuses", "history", "verify_receipt", "subscriptions", "orders", "token"]
        switch random.number(0...3) {
        case 0:
            let fault = random.of([Faults.Kind.emptyServerError, .retryableServerError, .tooMany])
            life.life.stores.faults.plan(fault, times: 3, at: random.of(endpoints))
        case 1:
            let fault = random.of([Faults.Kind.truncated, .malformed])
            life.life.stores.faults.plan(fault, times: 1, at: random.of(Array(endpoints.dropLast())))
        case let manner:
            let proxy = try CuttingProxy(toPort: UInt16(life.life.stores.port))
            if manner == 2 { proxy.plan(.cut, at: .byte(random.number(1...60_000), .toClient)) }
            if manner == 3 { proxy.delay(by: .milliseconds(random.number(5...50))) }
            // The service account's file names where its tokens come from.
            let (direct, proxied) = (life.life.stores.baseURL, "https://127.0.0.1:\(proxy.port)")
            try life.configure(["base_url: ", "verify_receipt_url: "].map { ($0 + direct, $0 + proxied) })
            try await expectUndisturbed(try await life.run(job), life)
            return
        }
        try await expectUndisturbed(try await life.run(job), life)
    }

    /// Whether the chat has it is not known: it is said again, and once more is said of it.
    func killSender(_ life: AttackedLife) async throws {
        let chat = try LoopbackServer { _, number in .init(200, delay: number == 1 ? .seconds(3) : .zero) }
        try (chat.url + "/hook").write(toFile: life.directory + "/chat.url", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: life.directory + "/chat.url")
        let send = "send: { recipients: [{ name: chat, webhook_file: \(life.directory)/chat.url }] }"
        // What it sends is an issue of the life before.
        let directory = ("directory: \(life.directory)/reports", "directory: \(life.life.directory)/reports")
        try life.configure([("language: en }", "language: en, \(send) }"), directory])
        let program = try life.start(.send)
        try await waitUntil { !chat.requests.isEmpty || !program.isRunning }
        Foundation.kill(program.processID, SIGKILL)
        let killed = await program.result()
        expect(killed, endedWith: [137])
        let again = try await life.makeGood(.send)
        #expect(again.exitCode == 0, "\(again.standardError)")
        let session = try await life.connect()
        #expect(try await session.lines("select state from subledger.report_deliveries") == ["delivered"])
        #expect(chat.requests.count == 2)
        let third = try await life.run(.send)
        #expect(third.exitCode == 0 && chat.requests.count == 2)
    }
}
