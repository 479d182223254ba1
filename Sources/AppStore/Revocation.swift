// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// What it means that the App Store took a transaction back: only a customer's refund moves money.
///
/// Of the reasons the type pages of both interfaces number 0 and 1, both of them refunds on behalf of the customer.
/// StoreKit's own type knows a third, `upgradedToBundle`, that no page of the server's numbers: the next number and the
/// name are both taken for it, and the number is counted, so that it is seen when it first comes.
enum Revocation: Hashable {
    /// The customer was given money back.
    case refund
    /// Access that others paid for was withdrawn: a family's share, an assigned seat.
    case withdrawal
    /// The customer switched to a bundle that holds this subscription.
    case replacement
    /// For an unknown reason, or in an unknown way: access ends, nothing is booked.
    case unknown

    /// `type`: `revocationType`; receipts have none.
    ///
    /// `reason`: `revocationReason` or `cancellation_reason`, a number of old and perhaps a word one day.
    init(type: String?, reason: String?, ownership: Ownership) {
        if type.map(Self.withdrawals.contains) == true {
            self = .withdrawal
        } else if Self.namesBundle(type) || Self.namesBundle(reason) {
            self = .replacement
        } else if type.map(Self.refunds.contains) == false || reason.map(Self.customers.contains) == false {
            self = .unknown
        } else {
            self = ownership == .purchased || type != nil ? .refund : .withdrawal
        }
    }

    /// Nil for a replacement: no money was given back, and the row says so by ending.
    var movesMoney: Bool { self == .refund }

    /// How a subscription ended whose current transaction was taken back.
    var endReason: EndReason {
        switch self {
        case .refund: .refund
        case .replacement: .replaced
        case .withdrawal, .unknown: .revoke
        }
    }

    /// Whether every word of it is documented.
    static func isDocumented(reason: String?) -> Bool { reason.map(customers.contains) ?? true }

    static func isDocumented(type: String?) -> Bool {
        type.map { refunds.contains($0) || withdrawals.contains($0) } ?? true
    }

    private static let withdrawals: Set<String> = ["FAMILY_REVOKE", "ASSIGNMENT_REVOKE"]
    private static let refunds: Set<String> = ["REFUND_FULL", "REFUND_PRORATED"]
    /// Other reasons, and an issue within the app.
    private static let customers: Set<String> = ["0", "1"]

    private static func namesBundle(_ word: String?) -> Bool {
        guard let word else { return false }
        return word == "2" || word.lowercased().filter { $0 != "_" } == "upgradedtobundle"
    }
}

extension Ownership {
    /// Of the App Store's word for it, the same in both interfaces.
    ///
    /// An unknown word is no purchase: it gives access, no money, and is counted.
    init(appStoreName name: String?, of field: String, _ unknownValues: inout UnknownValueCounts) {
        switch name {
        case "PURCHASED", nil: self = .purchased
        case "FAMILY_SHARED": self = .familyShared
        case "ASSIGNED": self = .assigned
        case .some(let unknown):
            unknownValues.note("\(field)=\(unknown)")
            self = .assigned
        }
    }
}
