// SPDX-License-Identifier: Apache-2.0

/// The customers of one rare life: which of the app's, and when.
///
/// They begin near the first night, so that even a short time sees what is rare about them.
struct RareCustomerPlan {
    let kind: RareLife
    let number: Int
    let app: SimulatedApp
    let span: LifeSpan
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
        case .payersCode: [payerWithCode()]
        case .retention: [stayingCustomer()]
        case .extended: [extendedCustomer()]
        case .lessenedGroup: [lessenedGroup()]
        case .inBundle: [customerOfBundle()]
        }
    }

    /// One subscription, written by `body`.
    mutating func write(
        _ product: Product, in market: Market, _ body: (inout LifeWriter) -> Void
    ) -> SubscriptionLife {
        var writer = LifeWriter(
            LifeWriter.Setting(app: app, market: market, span: span), product: product, isRegistered: true,
            random: random,
            ids: identifiers)
        body(&writer)
        (random, identifiers) = (writer.random, writer.identifiers)
        return writer.life
    }

    /// One that renews to the horizon.
    mutating func endlessLife(_ product: Product, from start: Int64, in market: Market) -> SubscriptionLife {
        write(product, in: market) { writer in
            writer.begin(.fullPrice, at: start)
            writer.renewToTheHorizon()
        }
    }

    func customer(
        _ market: Market, _ subscriptions: [SubscriptionLife], sales: [Period] = [], member: Int = 0
    ) -> CustomerLife {
        CustomerLife(
            appID: app.id, accountID: "account-\(app.id)-\(kind.rawValue)-\(number)-\(member)", market: market,
            environment: app.environment, subscriptions: subscriptions, sales: sales)
    }

    mutating func market() -> Market { random.pick(.unitedStates, .germany, .unitedKingdom, .japan) }

    /// Some night of the first ones.
    mutating func night() -> Int64 { span.firstNight + random.value(in: 1...8) * CivilTime.day }

    /// By day, after one of the first nights.
    mutating func start() -> Int64 { night() + random.hours(3...20) }
}

extension RareCustomerPlan {
    /// The night falls between the expiry and the renewal.
    private mutating func lateCustomer() -> CustomerLife {
        let (night, market) = (night(), market())
        let (opening, ahead, delay) = lateness()
        let life = write(.weekly, in: market) { [number] writer in
            // Both the trial and the week end at the hour they began.
            writer.begin(opening, at: night - ahead)
            if let delay {
                writer.renew(late: delay)
            } else if !writer.leavesInSilence(comingBack: number.isMultiple(of: 2)) {
                return
            }
            writer.renewToTheHorizon()
        }
        return customer(market, [life])
    }

    /// How it begins, how long before a night it ends, and how late it renews; nil never.
    private mutating func lateness() -> (opening: AppStoreStep, ahead: Int64, delay: Int64?) {
        switch kind {
        case .lateByMinutes:
            let delay = random.duration(from: 2 * CivilTime.minute, to: 40 * CivilTime.minute)
            return (.fullPrice, CivilTime.minute, delay)
        case .lateByHours:
            return (number.isMultiple(of: 2) ? .fullPrice : .freeTrial, random.hours(1...3), random.hours(4...14))
        case .lateByADay: return (.fullPrice, random.hours(1...3), random.hours(28...44))
        default: return (.fullPrice, random.hours(1...3), nil)
        }
    }
}

extension LifeWriter {
    /// One more week, and then nothing: not renewed, and not said to have ended.
    ///
    /// Some buy again some time later. Returns whether it goes on after that.
    fileprivate mutating func leavesInSilence(comingBack: Bool) -> Bool {
        renew()
        guard comingBack else { return false }
        add(Entry(.purchase, at: current.expiresAt + random.days(8...20)))
        return true
    }
}
