// SPDX-License-Identifier: Apache-2.0

/// The cases of rare lives, each only where it can happen.
extension AppStoreCoverage {
    static let rare: [Case] = late + seats + commerce + revocations + strangers

    private static let late: [Case] = [
        night("renewed minutes after the night that looked") { $0 < CivilTime.hour },
        night("renewed hours after the night that looked") { (CivilTime.hour..<CivilTime.day).contains($0) },
        night("renewed more than a day late") { (CivilTime.day..<2 * CivilTime.day).contains($0) },
        life("neither renewed nor said to have ended") { life, span in
            let ends = zip(life.periods, life.periods.dropFirst().map(\.createdAt) + [.max])
            return ends.contains { period, next in
                period.ending == .goesOn && period.lastingRefund == nil && period.upgradedAt == nil
                    && next > period.expiresAt + 2 * CivilTime.day
                    && span.contains(period.expiresAt + 3 * CivilTime.day)
            }
        },
    ].map { $0.only { $0.api == .receipts } }

    private static let seats: [Case] = [
        Case(name: "seat assigned") { customer, _ in customer.subscriptions.contains { $0.ownership == .assigned } },
        period("seats at several prices") { ($0.seats?.tiers.count ?? 0) > 1 },
        pair("seats added, with a line item of their own") { $1.isAddition && $0.lineItemID != $1.lineItemID },
        pair("seats added, with the line item of the others") { $1.isAddition && $0.lineItemID == $1.lineItemID },
        life("seats given back") { life, span in
            life.periods.contains { $0.seats?.givenBack.contains { span.contains($0.at) } ?? false }
        },
        pair("fewer seats renewed") { old, new in
            guard let before = old.seats, let after = new.seats else { return false }
            return !after.isAddition && after.count < before.count
        },
    ].map { $0.only { $0.api == .server } }

    private static let commerce: [Case] = [
        period("sold under the owner's own name") { $0.commerce != nil },
        life("a sum of an item given back") { life, span in
            life.periods.contains { $0.commerce?.givenBack.contains { span.contains($0.at) } ?? false }
        },
        life("an item refunded and taken away") { life, span in
            life.periods.contains { $0.commerce != nil && $0.refund.map { span.contains($0.at) } ?? false }
        },
        period("several items sold in one") { !($0.commerce?.besides.isEmpty ?? true) },
        life("sums of one item given back on several days") { life, span in
            life.periods.contains { ($0.commerce?.givenBack.filter { span.contains($0.at) }.count ?? 0) > 1 }
        },
        item("a share of an item given back") { item, span in
            item.givenBack.contains { $0.kind == .prorated && span.contains($0.at) }
        },
        item("one of several items taken away") { item, span in item.takenBackAt.map(span.contains) ?? false },
        pair("fewer items renewed") { old, new in
            guard let before = old.commerce?.besides.count, let after = new.commerce?.besides.count else {
                return false
            }
            return after < before
        },
        life("all of several items refunded") { life, span in
            life.periods.contains { period in
                guard period.commerce?.besides.isEmpty == false, let refund = period.refund else { return false }
                return span.contains(refund.at)
            }
        },
    ].map { $0.only { $0.api == .server } }

    private static let revocations: [Case] = [
        refund("bundle took its place") { refund, _ in refund.extent == .upgradedToBundle },
        refund("revoked in a way nobody knows") { refund, _ in
            if case .unheardOf(.some) = refund.extent { return true }
            return false
        },
        refund("revoked for a reason nobody knows") { refund, _ in refund.extent == .unheardOf(name: nil) },
    ].map { $0.only { $0.api == .server } }

    private static let strangers: [Case] = [
        Case(name: "handed in by the id of a renewal") { customer, span in
            customer.subscriptions.contains { $0.lateHandIn.map { span.contains($0.at) && $0.value > 0 } ?? false }
        }.only { $0.api == .server },
        Case(name: "history longer than a night reads") { customer, span in
            let known = customer.purchases(at: span.lowerBound).count
            return known > 250 * customer.historyPage
        }.only { $0.api == .server },
        Case(name: "sold once to somebody without a subscription") { customer, span in
            customer.subscriptions.isEmpty && customer.sales.contains { span.contains($0.purchasedAt) }
        }.only { $0.hasNotificationURL },
    ]

    /// Of the items that are sold beside the first.
    private static func item(
        _ name: String, _ shows: @escaping @Sendable (Commerce.Item, ClosedRange<Int64>) -> Bool
    ) -> Case {
        life(name) { life, span in
            life.periods.contains { $0.commerce?.besides.contains { shows($0, span) } ?? false }
        }
    }

    /// A renewal that is so late that a night fell between the expiry and it; nights are as late in the day as the first.
    private static func night(_ name: String, _ isSoLate: @escaping @Sendable (Int64) -> Bool) -> Case {
        life(name) { life, span in
            zip(life.periods, life.periods.dropFirst()).contains { old, new in
                guard old.ending == .goesOn, new.reason == .renewal, span.contains(old.expiresAt) else { return false }
                let nights = { (instant: Int64) in (instant - span.lowerBound) / CivilTime.day }
                return isSoLate(new.createdAt - old.expiresAt) && nights(new.createdAt) > nights(old.expiresAt)
            }
        }
    }
}

extension Period {
    fileprivate var isAddition: Bool { seats?.isAddition ?? false }
}
