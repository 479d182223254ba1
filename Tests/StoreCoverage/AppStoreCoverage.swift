// SPDX-License-Identifier: Apache-2.0

@testable package import StoreSimulator

/// How many customers of a population show each case within a span.
package enum AppStoreCoverage {
    package typealias Case = CoverageCase<CustomerLife>

    /// The number of customers that show each case; every case is named.
    ///
    /// `app`: the app they are customers of, which leaves out what cannot happen there; nil names every case.
    package static func count(
        _ customers: [CustomerLife], in span: ClosedRange<Int64>, of app: SimulatedApp? = nil
    ) -> [String: Int] {
        Case.count(all.filter { it in app.map { it.isFor($0) } ?? true }, of: customers, in: span)
    }

    package static let all = offers + money + changes + endings + purchases + rare

    /// Every kind of offer with every discount it comes with.
    private static let offers: [Case] =
        [
            (Offer.Kind.introductory, "introductory"), (.promotional, "promotional"), (.code, "code"),
            (.winBack, "win-back"),
        ].flatMap { kind, name in
            [Offer.Discount.freeTrial, .payAsYouGo, .payUpFront].map { discount in
                period("\(name) \(discount.rawValue)") { $0.offer?.kind == kind && $0.offer?.discount == discount }
            }
        } + [sale("code ONE_TIME") { $0.offer?.discount == .oneTime }]

    private static let money: [Case] = [
        period("price absent") { $0.priceMilliunits == nil },
        period("price above 32 bits") { ($0.priceMilliunits ?? 0) > Int64(Int32.max) },
        period("zero price without trial") { !$0.isTrial && $0.priceMilliunits == 0 },
        refund("whole refund of the current period") { $0.extent == .full && $0.at < $1.expiresAt },
        refund("whole refund of an earlier period") { $0.extent == .full && $0.at > $1.expiresAt },
        refund("part refund of the current period") { $0.isPartial && $0.at < $1.expiresAt },
        refund("part refund of an earlier period") { $0.isPartial && $0.at > $1.expiresAt },
        refund("refund of the current period reversed") { $0.at < $1.expiresAt && $1.lastingRefund == nil },
        refund("refund of an earlier period reversed") { $0.at > $1.expiresAt && $1.lastingRefund == nil },
        refund("refund moved") { first, period in period.lastingRefund.map { $0.at != first.at } ?? false },
        refund("refund's share changed") { first, period in
            period.lastingRefund.map { $0.extent != first.extent } ?? false
        },
        period("refund declined") { $0.refundDeclinedAt != nil },
        refund("family revocation") { refund, _ in refund.extent == .familyRevoke },
        sale("one-time sale refunded") { $0.refund != nil && $0.refundChanges.isEmpty },
        sale("one-time sale's refund reversed") { !$0.refundChanges.isEmpty },
    ]

    private static let changes: [Case] = [
        pair("upgrade at once") { old, new in old.upgradedAt == new.purchasedAt },
        pair("other product at renewal") { old, new in
            old.upgradedAt == nil && old.productID != new.productID && new.reason == .renewal
        },
        life("product change undone") { life, span in
            let products = life.periods.map(\.productID)
            return life.renewalProduct.contains { span.contains($0.at) && !products.contains($0.value) }
                || zip(life.renewalProduct, life.renewalProduct.dropFirst()).contains { chosen, next in
                    span.contains(chosen.at) && !life.periods.contains { (chosen.at...next.at).contains($0.createdAt) }
                }
        },
        period("restored under another id") { !$0.restores.isEmpty },
        life("price increase agreed") { life, span in life.answers(span).contains(.agreed) },
        life("price increase not agreed") { life, span in
            life.answers(span).last == .pending && life.periods.contains { $0.ending == .expires(.price) }
        },
        period("month of a commitment") { $0.commitment != nil },
        pair("commitment renewed for a year") { $0.commitment?.isLast == true && $1.commitment?.number == 1 },
        life("commitment cancelled in an early month") { life, span in
            life.autoRenew.contains { off in
                !off.value
                    && life.periods.contains {
                        ($0.commitment?.number ?? 12) < 12 && $0.purchasedAt <= off.at && off.at < $0.expiresAt
                    }
            }
        },
        period("commitment ended") { $0.commitment?.isLast == true && $0.ending == .expires(.voluntary) },
    ]

    private static let endings: [Case] = [
        period("cancelled") { $0.ending == .expires(.voluntary) },
        period("product gone") { $0.ending == .expires(.product) },
        period("ended for no known reason") { $0.ending == .expires(.unknown) },
        trouble("retry recovered") { trouble, _ in trouble.graceEndsAt == nil && trouble.outcome == .recovers },
        trouble("grace recovered or lost") { trouble, _ in trouble.graceEndsAt != nil },
        trouble("given up after 60 days") { $0.outcome == .givenUp(at: $1.expiresAt + 60 * CivilTime.day) },
        trouble("cancelled in retry") { trouble, _ in
            if case .cancelled = trouble.outcome { true } else { false }
        },
        pair("bought again within weeks") { $1.isReturn(after: $0, days: 2...40) },
        pair("bought again months later") { $1.isReturn(after: $0, days: 60...400) },
    ]

    private static let purchases: [Case] =
        [
            Case(name: "family shared") { customer, _ in
                customer.subscriptions.contains { $0.ownership == .familyShared }
            },
            Case(name: "own and family's in one group") { customer, _ in
                Dictionary(grouping: customer.subscriptions, by: \.groupID).values
                    .contains { Set($0.map(\.ownership)).count > 1 }
            },
            Case(name: "several groups") { customer, _ in Set(customer.subscriptions.map(\.groupID)).count > 1 },
        ] + SaleKind.allCases.map { kind in sale("sold once: \(kind.rawValue)") { $0.soldOnce == kind } }
}

extension AppStoreCoverage {
    static func period(_ name: String, _ shows: @escaping @Sendable (Period) -> Bool) -> Case {
        Case(name: name) { customer, span in customer.periods(in: span).contains(where: shows) }
    }

    static func refund(_ name: String, _ shows: @escaping @Sendable (Refund, Period) -> Bool) -> Case {
        Case(name: name) { customer, span in
            customer.subscriptions.flatMap(\.periods).contains { period in
                period.refund.map { span.contains($0.at) && shows($0, period) } ?? false
            }
        }
    }

    /// What befell periods within the span, by its instants.
    static func event(
        _ name: String, atLeast least: Int = 1, _ instants: @escaping @Sendable (Period) -> [Int64]
    ) -> Case {
        life(name) { life, span in life.periods.contains { instants($0).count(where: span.contains) >= least } }
    }

    static func trouble(
        _ name: String, _ shows: @escaping @Sendable (Ending.BillingTrouble, Period) -> Bool
    ) -> Case {
        period(name) { period in
            if case .billing(let trouble) = period.ending { shows(trouble, period) } else { false }
        }
    }

    static func pair(_ name: String, _ shows: @escaping @Sendable (Period, Period) -> Bool) -> Case {
        life(name) { life, span in
            zip(life.periods, life.periods.dropFirst()).contains { span.contains($1.createdAt) && shows($0, $1) }
        }
    }

    static func life(
        _ name: String, _ shows: @escaping @Sendable (SubscriptionLife, ClosedRange<Int64>) -> Bool
    ) -> Case {
        Case(name: name) { customer, span in customer.subscriptions.contains { shows($0, span) } }
    }

    static func sale(_ name: String, _ shows: @escaping @Sendable (Period) -> Bool) -> Case {
        Case(name: name) { customer, span in customer.sales.contains { $0.purchasedAt <= span.upperBound && shows($0) }
        }
    }
}

extension CustomerLife {
    /// Those that run, or could still be paid for, in that span.
    func periods(in span: ClosedRange<Int64>) -> [Period] {
        subscriptions.flatMap(\.periods).filter { $0.expiresAt >= span.lowerBound && $0.createdAt <= span.upperBound }
    }
}

extension SubscriptionLife {
    fileprivate func answers(_ span: ClosedRange<Int64>) -> [PriceConsent] {
        priceConsent.filter { span.contains($0.at) }.compactMap(\.value)
    }
}

extension Period {
    fileprivate func isReturn(after old: Period, days: ClosedRange<Int64>) -> Bool {
        guard reason == .purchase, old.upgradedAt == nil else { return false }
        return days.contains((purchasedAt - min(old.expiresAt, old.lastingRefund?.at ?? .max)) / CivilTime.day)
    }
}

extension Refund {
    fileprivate var isPartial: Bool {
        if case .prorated = extent { true } else { false }
    }
}
