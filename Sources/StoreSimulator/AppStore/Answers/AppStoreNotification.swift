// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One notification of the store: what happened when, and to what.
struct AppStoreNotification: Hashable, Sendable {
    let at: Int64
    let type: String
    let subtype: String?
    let purchase: AppStorePurchase
    /// The customer's place in the store's list.
    var customer = 0
    /// The place among the notifications of the customer, in their order.
    var number = 0

    /// The same however often it is sent.
    func uuid(in app: String) -> String {
        let place = UInt64(customer) << 20 | UInt64(number)
        var random = SeededGenerator(seed: UInt64(bitPattern: at), stream: place | UInt64(app.utf8.count) << 52)
        let (high, low) = (random.next(), random.next())
        let digits = String(format: "%016llx%016llx", high, low)
        let cuts = [0, 8, 12, 16, 20, 32].map { digits.index(digits.startIndex, offsetBy: $0) }
        return zip(cuts, cuts.dropFirst()).map { String(digits[$0..<$1]) }.joined(separator: "-")
    }

    /// It speaks of a change of the very transaction that it carries: money given back or taken again, access withdrawn, time added.
    var showsChangedRow: Bool { ["REFUND", "REFUND_REVERSED", "REVOKE", "RENEWAL_EXTENDED"].contains(type) }

    func isAbout(_ id: String) -> Bool {
        purchase.originalTransactionID == id || purchase.identifiers.contains { $0.id == id }
    }

    /// When the store tries to deliver it: at once, and so many hours later.
    static let hours: [Int64] = [0, 1, 12, 24, 48, 72]

    /// How often the store tried to deliver it by `now`, and with what success: a few servers answer late, and one in
    /// fifty notifications never gets through.
    func attempts(by now: Int64, after hours: [Int64] = hours) -> [(at: Int64, result: String)] {
        var random = SeededGenerator(seed: UInt64(bitPattern: at), stream: UInt64(customer) << 20 | UInt64(number))
        let luck = random.value(in: 0...99)
        let tries = hours.map { at + $0 * CivilTime.hour }
        let failures = luck < 2 ? tries.count : luck < 10 ? 1 : 0
        return tries.prefix(failures + 1).enumerated().map { place, at in
            (at, place < failures ? (place == 0 ? "TIMED_OUT" : "NO_RESPONSE") : "SUCCESS")
        }.filter { $0.at <= now }
    }

    /// Whether the owner's server has it by `now`.
    func isDelivered(by now: Int64) -> Bool { attempts(by: now).last?.result == "SUCCESS" }
}

extension StoreKeys {
    /// A version 2 notification as it was signed when it was sent: everything in it is of its own instant.
    func sign(
        _ notification: AppStoreNotification, to customer: CustomerLife, of app: SimulatedApp
    ) throws -> String {
        let at = notification.at
        var content: WireObject = [
            "bundleId": app.bundleID, "bundleVersion": "1", "environment": customer.environment.storeName,
            "signedTransactionInfo": try sign(
                TransactionRow.row(of: notification.purchase, by: customer, in: app, at: at)),
        ]
        // Absent in the sandbox.
        if customer.environment != .sandbox { content["appAppleId"] = app.appAppleID }
        if notification.type == "CONSUMPTION_REQUEST" { content["consumptionRequestReason"] = "UNINTENDED_PURCHASE" }
        if let life = notification.purchase.life, let status = life.status(at: at) {
            content["signedRenewalInfo"] = try sign(RenewalRow.row(of: status, of: life, by: customer, at: at))
            content["status"] = status.state.rawValue
        }
        return try sign([
            "notificationType": notification.type, "subtype": notification.subtype,
            "notificationUUID": notification.uuid(in: app.id), "version": "2.0", "signedDate": at.milliseconds,
            "data": content,
        ])
    }
}
