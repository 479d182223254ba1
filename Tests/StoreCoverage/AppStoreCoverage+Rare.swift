// SPDX-License-Identifier: Apache-2.0

@testable import StoreSimulator

/// The cases of rare lives, each only where it can happen.
extension AppStoreCoverage {
    static let rare: [Case] = late + seats + commerce + revocations + strangers + payers

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
        event("seats given back") { $0.seats?.givenBack.map(\.at) ?? [] },
        event("added seats refunded whole while the first run on") { period in
            period.seats?.isAddition == true ? [period.refund?.at].compactMap(\.self) : []
        },
        event("seats refunded whole while those added to them run on") { period in
            period.seats?.joinedAt != nil ? [period.refund?.at].compactMap(\.self) : []
        },
        pair("fewer seats renewed") { old, new in
            guard let before = old.seats, let after = new.seats else { return false }
            return !after.isAddition && after.count < before.count
        },
    ].map { $0.only { $0.api == .server } }

    private static let commerce: [Case] = [
        period("sold under the owner's own name") { $0.commerce != nil },
        event("a sum of an item given back") { $0.commerce?.givenBack.map(\.at) ?? [] },
        refund("an item refunded and taken away") { _, period in period.commerce != nil },
        period("several items sold in one") { !$0.besides.isEmpty },
        event("sums of one item given back on several days", atLeast: 2) { $0.commerce?.givenBack.map(\.at) ?? [] },
        event("a share of an item given back") { period in
            period.besides.flatMap(\.givenBack).filter { $0.kind == .prorated }.map(\.at)
        },
        event("one of several items taken away") { $0.besides.compactMap(\.takenBackAt) },
        pair("fewer items renewed") { $0.commerce != nil && $1.commerce != nil && $1.besides.count < $0.besides.count },
        refund("all of several items refunded") { _, period in !period.besides.isEmpty },
    ].map { $0.only { $0.api == .server } }

    private static let revocations: [Case] = [
        refund("bundle took its place") { refund, _ in refund.extent == .upgradedToBundle },
        Case(name: "included in a bundle") { customer, _ in customer.subscriptions.contains { $0.includedIn != nil } },
        refund("revoked in a way nobody knows") { refund, _ in
            if case .unheardOf(.some) = refund.extent { true } else { false }
        },
        refund("revoked for a reason nobody knows") { refund, _ in refund.extent == .unheardOf(name: nil) },
    ].map { $0.only { $0.api == .server } }

    private static let payers: [Case] =
        [Offer.Discount.freeTrial, .payAsYouGo, .payUpFront].map { discount in
            period("retention \(discount.rawValue)") { $0.offer?.kind == .retention && $0.offer?.discount == discount }
                .only { $0.api == .server }
        } + [
            pair("free code of a payer") { $0.isPaid && $1.offer?.kind == .code && $1.isTrial },
            event("given more time") { [$0.extended?.at].compactMap(\.self) },
        ]

    private static let strangers: [Case] = [
        Case(name: "handed in by the id of a renewal") { customer, span in
            customer.subscriptions.contains { $0.lateHandIn.map { span.contains($0.at) && $0.value > 0 } ?? false }
        }.only { $0.api == .server },
        Case(name: "history longer than a night reads") { customer, span in
            customer.purchases(at: span.lowerBound).count > 250 * customer.historyPage
        }.only { $0.api == .server },
        Case(name: "sold once to somebody without a subscription") { customer, span in
            customer.subscriptions.isEmpty && customer.sales.contains { span.contains($0.purchasedAt) }
        }.only { $0.hasNotificationURL },
    ]

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
    /// The items that are sold beside the first.
    fileprivate var besides: [Commerce.Item] { commerce?.besides ?? [] }
}
