// SPDX-License-Identifier: Apache-2.0

/// The customers of one rare life: which of the app's, and when. They begin near the first night, so that even a short time
/// sees what is rare about them.
struct RareCasting {
    let kind: RareLife
    let number: Int
    let app: SimulatedApp
    let span: Population.Span
    var random: SeededGenerator
    var identifiers: IdentifierSequence

    /// Everybody in it; a group has several.
    mutating func customers() -> [CustomerLife] {
        switch kind {
        case .lateByMinutes, .lateByHours, .lateByADay, .neverRenewed: [lateCustomer()]
        case .group: group(invitedBy: .apple, members: 2)
        case .developersGroup: group(invitedBy: .developer, members: 0)
        case .organization: Array(group(invitedBy: .apple, members: 2).dropFirst())
        case .commerce: [commerceCustomer()]
        case .commerceItems: [itemsCustomer()]
        case .bundle: [bundledCustomer()]
        case .unknownRevocation: [revokedCustomer(.unheardOf(name: "COURTESY_REVOKE"), reason: 0)]
        case .unknownReason: [revokedCustomer(.unheardOf(name: nil), reason: 7)]
        case .laterID: [lateComer()]
        case .hoarder: [hoarder()]
        case .onlySales: [buyerOfSales()]
        }
    }

    /// One subscription, written by `body`.
    mutating func write(
        _ product: Product, in storefront: Storefront, _ body: (inout LifeWriter) -> Void
    ) -> SubscriptionLife {
        let setting = LifeWriter.Setting(
            bundleID: app.bundleID, storefront: storefront, ownership: .purchased,
            pricesRiseAt: span.firstNight + 20 * CivilTime.day, horizon: span.horizon,
            hasNotices: app.hasNotificationURL)
        var writer = LifeWriter(setting, product: product, isRegistered: true, random: random, ids: identifiers)
        body(&writer)
        (random, identifiers) = (writer.random, writer.identifiers)
        return writer.life
    }

    func customer(
        _ storefront: Storefront, _ subscriptions: [SubscriptionLife], sales: [OneTimeSale] = [], member: Int = 0
    ) -> CustomerLife {
        CustomerLife(
            appID: app.id, accountID: "account-\(app.id)-\(kind.rawValue)-\(number)-\(member)", storefront: storefront,
            environment: app.environment, subscriptions: subscriptions, sales: sales)
    }

    mutating func storefront() -> Storefront {
        random.pick(.unitedStates, .germany, .unitedKingdom, .japan)
    }

    /// Some night of the first ones.
    mutating func night() -> Int64 { span.firstNight + random.value(in: 1...8) * CivilTime.day }

    /// By day, after one of the first nights.
    mutating func start() -> Int64 {
        night() + random.duration(from: 3 * CivilTime.hour, to: 20 * CivilTime.hour)
    }
}

extension RareCasting {
    /// The night falls between the expiry and the renewal.
    private mutating func lateCustomer() -> CustomerLife {
        let (night, storefront) = (night(), storefront())
        let (opening, ahead, delay) = lateness()
        let life = write(.weekly, in: storefront) { [number] writer in
            // Both the trial and the week end at the hour they began.
            writer.begin(opening, at: night - ahead)
            if let delay {
                writer.renew(late: delay)
            } else if !writer.leavesInSilence(comingBack: number.isMultiple(of: 2)) {
                return
            }
            writer.renewToTheHorizon()
        }
        return customer(storefront, [life])
    }

    /// How it begins, how long before a night it ends, and how late it renews; nil never.
    private mutating func lateness() -> (opening: Chapter, ahead: Int64, delay: Int64?) {
        let hours = { (random: inout SeededGenerator, range: ClosedRange<Int64>) in
            random.duration(from: range.lowerBound * CivilTime.hour, to: range.upperBound * CivilTime.hour)
        }
        switch kind {
        case .lateByMinutes:
            let delay = random.duration(from: 2 * CivilTime.minute, to: 40 * CivilTime.minute)
            return (.fullPrice, CivilTime.minute, delay)
        case .lateByHours:
            return (number.isMultiple(of: 2) ? .fullPrice : .freeTrial, hours(&random, 1...3), hours(&random, 4...14))
        case .lateByADay: return (.fullPrice, hours(&random, 1...3), hours(&random, 28...44))
        default: return (.fullPrice, hours(&random, 1...3), nil)
        }
    }
}

extension LifeWriter {
    /// One more week, and then nothing: not renewed, and not said to have ended. Some buy again some time later.
    /// Tells whether it goes on after that.
    fileprivate mutating func leavesInSilence(comingBack: Bool) -> Bool {
        renew()
        guard comingBack, let last = current else { return false }
        let back = last.expiresAt + random.duration(from: 8 * CivilTime.day, to: 20 * CivilTime.day)
        add(Entry(createdAt: back, purchasedAt: back, reason: .purchase))
        return true
    }
}
