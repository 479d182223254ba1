// SPDX-License-Identifier: Apache-2.0

/// The customers of one rare life: which of the app's, and when. They begin near the first night, so that even a short time
/// sees what is rare about them.
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
    /// One more week, and then nothing: not renewed, and not said to have ended. Some buy again some time later.
    /// Returns whether it goes on after that.
    fileprivate mutating func leavesInSilence(comingBack: Bool) -> Bool {
        renew()
        guard comingBack else { return false }
        add(Entry(.purchase, at: current.expiresAt + random.days(8...20)))
        return true
    }
}

/// A kind of life that hardly any customer leads, and that a reader must cope with all the same.
enum RareLife: String, CaseIterable, Sendable {
    // Receipts: the renewal is late, and nothing in the receipt says why.
    case lateByMinutes, lateByHours, lateByADay, neverRenewed

    // Groups: somebody pays for the seats of others.
    case group, developersGroup, organization

    /// Sold under the owner's own names.
    case commerce

    // Access that ends without money.
    case bundle, unknownRevocation, unknownReason

    /// The backend hands in the id of a renewal.
    case laterID
    /// So many things bought once that no night reads the whole history.
    case hoarder
    /// Nothing but things sold once; only a notification reports them.
    case onlySales

    /// Several things sold under the owner's own names in one transaction.
    case commerceItems

    /// A code for a time for nothing, of somebody who pays already.
    case payersCode
    /// About to cancel, and offered to stay.
    case retention
    /// Given more time for the period that runs.
    case extended
    /// What a bundle includes, beside the bundle itself.
    case inBundle

    /// Seats are added, and given back whole while the others run on; or the others, and then all of them.
    case lessenedGroup

    /// Those that were written after the others: their customers come after everybody else, so that nobody's numbers move.
    var isLater: Bool {
        [.commerceItems, .payersCode, .retention, .extended, .lessenedGroup, .inBundle].contains(self)
    }

    /// Whether there can be such a life in an app.
    func occurs(in app: SimulatedApp) -> Bool {
        guard app.play == nil, app.sandboxClock == nil else { return false }
        switch self {
        case .lateByMinutes, .lateByHours, .lateByADay, .neverRenewed: return app.api == .receipts
        case .payersCode, .extended: return true
        case .onlySales: return app.api == .server && app.hasNotificationURL
        default: return app.api == .server
        }
    }
}
