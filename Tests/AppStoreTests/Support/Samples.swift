// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import TestSupport

@testable import AppStore

/// Two answers of `verifyReceipt` as the store gave them.
enum Sample: String, CaseIterable {
    /// A trial week and two paid weeks, running.
    case production = "verify_receipt_production_weekly"
    /// A trial and one renewal in compressed time, ended by the customer.
    case sandbox = "verify_receipt_sandbox_trial_then_renewal"

    var bundleID: String { self == .production ? "com.adapty.sample_app" : "jp.example.app" }
    var environment: PurchaseEnvironment { self == .production ? .production : .sandbox }
    var originalTransactionID: String { self == .production ? "1000000831360853" : "1000000481802759" }

    func bytes() throws -> [UInt8] {
        guard let url = Bundle.module.url(forResource: "Fixtures/\(rawValue)", withExtension: "json") else {
            throw TestSupportError("the fixture \(rawValue) is missing")
        }
        return Array(try Data(contentsOf: url))
    }

    /// The answer as an object that a test may change.
    func object() throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(try bytes()))
        guard let object = value as? [String: Any] else { throw TestSupportError("the fixture is no object") }
        return object
    }

    /// Changes each transaction row of the answer.
    func object(changingRows change: (inout [String: Any]) -> Void) throws -> [String: Any] {
        var object = try object()
        object["latest_receipt_info"] = Self.changed(object["latest_receipt_info"], change)
        var receipt = object["receipt"] as? [String: Any] ?? [:]
        receipt["in_app"] = Self.changed(receipt["in_app"], change)
        object["receipt"] = receipt
        return object
    }

    func read(_ object: [String: Any]) throws -> Reading { try read(try Rows.json(object)) }

    func read(_ bytes: [UInt8], receipt: String = "asked-with", storeKey: String? = nil) throws -> Reading {
        let store = try Acme.receipts(bundleID: bundleID).store(clock: { Acme.now })
        let due = Acme.due(
            storeKey ?? originalTransactionID, environment: environment,
            receipt: Receipt(id: 5, data: Secret(receipt)))
        return try store.read(
            StoreAnswer(
                inquiry: Inquiry(subscriptions: [due]), environment: environment,
                documents: [StoreAnswer.Document(endpoint: "verify_receipt", body: bytes)], answeredAt: Acme.now))
    }

    private static func changed(_ rows: Any?, _ change: (inout [String: Any]) -> Void) -> [[String: Any]] {
        (rows as? [[String: Any]] ?? []).map { row in
            var row = row
            change(&row)
            return row
        }
    }
}

extension Reading {
    /// What is booked and derived, without archive and counts.
    var essence: [String] {
        observations.map { "\($0.storeKey.reveal()) \(String(describing: $0.status)) \($0.periods)" }
    }
}
