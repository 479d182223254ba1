// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import TestSupport
import Testing

@testable import AppStore

/// Notifications of both versions, damaged: cut at every byte, and with every member left out, of another type or of
/// another value, signed again where they were signed.
///
/// What is believed makes the right subscription due, or none.
@Suite struct NotificationFuzzTests {
    private static var payload: [String: Any] {
        [
            "notificationType": "DID_RENEW", "subtype": "BILLING_RECOVERY", "notificationUUID": "uuid-1",
            "version": "2.0", "signedDate": Rows.signed,
        ]
    }

    private static func store() throws -> any Store {
        try Acme.configuration().store(clock: { Acme.now })
    }

    private static func data(_ changes: [String: Any?] = [:]) throws -> [String: Any] {
        let signing = try SigningStore.shared.get()
        var data: [String: Any] = [
            "environment": "Production", "appAppleId": 1_234_567_890, "bundleId": "com.acme.app", "status": 1,
            "signedTransactionInfo": try signing.sign(Rows.transaction()),
            "signedRenewalInfo": try signing.sign(Rows.renewal()),
        ]
        for (name, value) in changes { data[name] = value }
        return data
    }

    private static func letter(_ payload: [String: Any]) throws -> String {
        String(
            decoding: try Rows.json(["signedPayload": try SigningStore.shared.get().sign(payload)]), as: UTF8.self)
    }

    @Test func `a version 2 notification with a damaged member requests a check of its own subscription or none`()
        throws
    {
        let store = try Self.store()
        let whole = Self.payload.merging(["data": try Self.data()]) { $1 }
        let first = try store.hint(in: RawNotification(source: .appStoreV2, payload: Secret(try Self.letter(whole))))
        #expect(first.targets.map(\.name) == [.storeKey(Secret("2001"))])
        var believed = 0
        try DamagedJSON.forEach(of: try Rows.json(whole)) { damage in
            let object = try JSONSerialization.jsonObject(with: Data(damage.bytes)) as? [String: Any] ?? [:]
            let letter = RawNotification(source: .appStoreV2, payload: Secret(try Self.letter(object)))
            guard let hint = try? store.hint(in: letter) else { return }
            believed += 1
            let place = "\(damage.path) as \(damage.stranger)"
            #expect(hint.targets.allSatisfy { $0.name == .storeKey(Secret("2001")) }, "\(place)")
            if damage.path != ["notificationUUID"] { #expect(hint.dedupeKey == first.dedupeKey, "\(place)") }
            if damage.path != ["notificationType"] && damage.path != ["subtype"] {
                #expect(hint.type == first.type, "\(place)")
            }
        }
        #expect(believed > 40, "too few notifications were believed to prove anything")
    }

    @Test
    func `a version 2 notification whose transaction has a damaged member requests a check of what it still names`()
        throws
    {
        let store = try Self.store()
        let signing = try SigningStore.shared.get()
        try DamagedJSON.forEach(of: try Rows.json(Rows.transaction())) { damage in
            let row = try JSONSerialization.jsonObject(with: Data(damage.bytes)) as? [String: Any] ?? [:]
            let payload = Self.payload.merging(
                ["data": try Self.data(["signedTransactionInfo": try signing.sign(row)])]) { $1 }
            let letter = RawNotification(source: .appStoreV2, payload: Secret(try Self.letter(payload)))
            guard let hint = try? store.hint(in: letter) else { return }
            guard damage.path != ["originalTransactionId"] else { return }
            #expect(
                hint.targets.allSatisfy { $0.name == .storeKey(Secret("2001")) },
                "\(damage.path) as \(damage.stranger)")
        }
    }

    @Test func `C1: a version 2 notification that is cut at any byte is refused`() throws {
        let store = try Self.store()
        let letter = try Self.letter(Self.payload.merging(["data": try Self.data()]) { $1 })
        // Every 7th byte of the signed part, whose cuts are all alike, and each near its ends.
        for length in 0..<letter.utf8.count where length < 300 || length % 7 == 0 || length > letter.utf8.count - 300 {
            let cut = RawNotification(
                source: .appStoreV2, payload: Secret(String(letter.utf8.prefix(length)) ?? ""))
            #expect(throws: NotificationRefusal.self, "cut after \(length) bytes") { try store.hint(in: cut) }
        }
    }

    @Test func `the version 1 sample, damaged, requests checks of the subscriptions it names or none`() throws {
        let (store, bytes, ids) = try Self.versionOne()
        #expect(!ids.isEmpty)
        var believed = 0
        try DamagedJSON.forEach(of: bytes) { damage in
            let letter = RawNotification(
                source: .appStoreV1, payload: Secret(String(decoding: damage.bytes, as: UTF8.self)))
            guard let hint = try? store.hint(in: letter) else { return }
            believed += 1
            guard damage.path.last?.contains("original_transaction_id") != true else { return }
            #expect(Self.ids(hint).isSubset(of: ids), "\(damage.path) as \(damage.stranger)")
            if damage.path != ["notification_type"] { #expect(hint.type == "DID_RENEW") }
        }
        #expect(believed > 100, "too few notifications were believed to prove anything")
        for length in bytes.indices {
            let cut = Secret(String(decoding: bytes[..<length], as: UTF8.self))
            guard let hint = try? store.hint(in: RawNotification(source: .appStoreV1, payload: cut)) else { continue }
            #expect(Self.ids(hint) == ids, "cut after \(length) bytes")
        }
    }

    private static func ids(_ hint: Hint) -> Set<String> {
        Set(
            hint.targets.map {
                switch $0.name {
                case .storeKey(let key): key.reveal()
                case .transaction(let id): id
                }
            })
    }

    /// The documented sample, and a store that is its app.
    private static func versionOne() throws -> (store: any Store, bytes: [UInt8], ids: Set<String>) {
        guard let url = Bundle.module.url(forResource: "Fixtures/notification_v1_did_renew", withExtension: "json")
        else { throw TestSupportError("the fixture is missing") }
        let bytes = Array(try Data(contentsOf: url))
        let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
        let environment = object["environment"] as? String
        var configuration = try Acme.configuration(environment: environment == "PROD" ? .production : .sandbox)
        guard case .server(var server) = configuration.api else { throw TestSupportError("no server") }
        server.sharedSecret = Secret(object["password"] as? String ?? "")
        configuration.bundleID = object["bid"] as? String ?? ""
        configuration.api = .server(server)
        let store = try configuration.store(clock: { Acme.now })
        let whole = try store.hint(
            in: RawNotification(source: .appStoreV1, payload: Secret(String(decoding: bytes, as: UTF8.self))))
        return (store, bytes, ids(whole))
    }
}
