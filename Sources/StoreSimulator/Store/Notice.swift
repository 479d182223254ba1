// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One notification of the store: what happened when, and to what.
struct Notice: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        case subscription(SubscriptionLife, period: Int)
        case sale(OneTimeSale)
    }

    let at: Int64
    let type: String
    let subtype: String?
    let subject: Subject
    /// The customer's place in the store's list.
    var customer = 0
    /// The place among the notices of the customer, in their order.
    var number = 0

    init(_ at: Int64, _ type: String, _ subtype: String? = nil, _ subject: Subject) {
        self.at = at
        self.type = type
        self.subtype = subtype
        self.subject = subject
    }

    /// The same however often it is sent.
    func uuid(in app: String) -> String {
        let place = UInt64(customer) << 20 | UInt64(number)
        var random = SeededGenerator(seed: UInt64(bitPattern: at), stream: place | UInt64(app.utf8.count) << 52)
        let (high, low) = (random.next(), random.next())
        let digits = String(format: "%016llx%016llx", high, low)
        let cuts = [0, 8, 12, 16, 20, 32].map { digits.index(digits.startIndex, offsetBy: $0) }
        return zip(cuts, cuts.dropFirst()).map { String(digits[$0..<$1]) }.joined(separator: "-")
    }

    /// Whether it is about that transaction.
    func isAbout(_ id: String) -> Bool {
        switch subject {
        case .subscription(let life, let period):
            life.originalTransactionID == id || Shown.period(life, period).identifiers.contains { $0.id == id }
        case .sale(let sale): sale.transactionID == id
        }
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
