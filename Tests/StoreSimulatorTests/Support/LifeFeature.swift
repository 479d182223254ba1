// SPDX-License-Identifier: Apache-2.0

@testable import StoreSimulator

/// A kind of life, recognised by its facts alone and not by how it was written; one that is so common that no case of the
/// coverage asks for it.
struct LifeFeature: Sendable {
    let name: String
    /// Whether a period (with the one before and after it) shows it.
    let shows: @Sendable (_ life: SubscriptionLife, _ index: Int) -> Bool

    /// Whether it happens to the customer while somebody reads.
    func occurs(in customer: CustomerLife, _ from: Int64, _ through: Int64) -> Bool {
        customer.subscriptions.contains { life in
            life.periods.indices.contains { index in
                let period = life.periods[index]
                return period.expiresAt >= from && period.createdAt <= through && shows(life, index)
            }
        }
    }

    static let all: [LifeFeature] = beginnings + renewals + endings + money

    private static let beginnings: [LifeFeature] = [
        LifeFeature(name: "trial converted") { $0.periods[$1].isTrial && $0.next($1)?.reason == .renewal },
        LifeFeature(name: "trial cancelled") {
            $0.periods[$1].isTrial && $0.periods[$1].ending == .expires(.voluntary)
        },
        LifeFeature(name: "trial into retry, paid") { $0.periods[$1].isTrial && $0.trouble($1)?.outcome == .recovers },
        LifeFeature(name: "trial into retry, lost") { $0.periods[$1].isTrial && $0.isGivenUp($1) },
        LifeFeature(name: "never registered") { life, _ in !life.isRegistered && life.groupID == "21000002" },
        LifeFeature(name: "won back") { $0.periods[$1].offer?.kind == .winBack && $0.lapsesBefore($1, 3...80) },
    ]

    private static let renewals: [LifeFeature] = [
        LifeFeature(name: "weekly renewal") { $0.renews($1, .weeks(1)) },
        LifeFeature(name: "monthly renewal") { $0.renews($1, .months(1)) },
        LifeFeature(name: "yearly renewal") { $0.renews($1, .months(12)) },
        LifeFeature(name: "shown before it begins") { $0.periods[$1].createdAt < $0.periods[$1].purchasedAt },
        LifeFeature(name: "bought before the old expiry") { life, index in
            life.previous(index).map { $0.upgradedAt == nil && life.periods[index].purchasedAt < $0.expiresAt } ?? false
        },
        LifeFeature(name: "small gap") { life, index in
            life.previous(index).map { old in
                (1...300).contains((life.periods[index].purchasedAt - old.expiresAt) / CivilTime.second)
            } ?? false
        },
        LifeFeature(name: "off and on") { life, index in
            let period = life.periods[index]
            let moves = life.autoRenew.filter { period.purchasedAt < $0.at && $0.at < period.expiresAt }
            return moves.map(\.value) == [false, true]
        },
    ]

    private static let endings: [LifeFeature] = [
        LifeFeature(name: "cancelled") { $0.periods[$1].isPaid && $0.periods[$1].ending == .expires(.voluntary) },
        LifeFeature(name: "paid in grace") { life, index in
            guard let graceEndsAt = life.trouble(index)?.graceEndsAt, let next = life.next(index) else { return false }
            return next.purchasedAt < graceEndsAt
        },
        LifeFeature(name: "paid after the grace") { life, index in
            guard let graceEndsAt = life.trouble(index)?.graceEndsAt, let next = life.next(index) else { return false }
            return next.purchasedAt > graceEndsAt && next.reason == .renewal
        },
        LifeFeature(name: "grace lost") { $0.isGivenUp($1) && $0.trouble($1)?.graceEndsAt != nil },
    ]

    private static let money: [LifeFeature] = [
        LifeFeature(name: "price forgotten") { $0.ownership == .purchased && $0.periods[$1].priceMilliunits == nil },
        LifeFeature(name: "raised price") { $0.periods[$1].priceMilliunits == 8_990 },
    ]
}

extension SubscriptionLife {
    fileprivate func next(_ index: Int) -> Period? { index + 1 < periods.count ? periods[index + 1] : nil }
    fileprivate func previous(_ index: Int) -> Period? { index > 0 ? periods[index - 1] : nil }

    fileprivate func trouble(_ index: Int) -> Ending.BillingTrouble? {
        if case .billing(let trouble) = periods[index].ending { return trouble }
        return nil
    }

    fileprivate func isGivenUp(_ index: Int) -> Bool {
        guard case .givenUp(let at) = trouble(index)?.outcome else { return false }
        return at == periods[index].expiresAt + 60 * CivilTime.day
    }

    fileprivate func renews(_ index: Int, _ term: Term) -> Bool {
        guard let old = previous(index), old.isPaid else { return false }
        return periods[index].term == term && periods[index].purchasedAt == old.expiresAt
    }

    fileprivate func lapsesBefore(_ index: Int, _ days: ClosedRange<Int64>) -> Bool {
        guard let old = previous(index), periods[index].reason == .purchase, old.upgradedAt == nil else { return false }
        return days.contains((periods[index].purchasedAt - min(old.expiresAt, old.refund?.at ?? .max)) / CivilTime.day)
    }
}
