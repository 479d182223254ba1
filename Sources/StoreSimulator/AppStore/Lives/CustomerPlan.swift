// SPDX-License-Identifier: Apache-2.0

/// One customer to be: which of the app's, with what kind of life, and when.
struct CustomerPlan {
    let number: Int
    let scenario: AppStoreScenario
    let app: SimulatedApp
    let span: LifeSpan
    var random: SeededGenerator
    var identifiers: IdentifierSequence

    /// The whole life, decided here and now.
    mutating func life() -> CustomerLife {
        var setting = LifeWriter.Setting(app: app, market: market(), span: span)
        if scenario.opening == .familyShared { setting.ownership = .familyShared }
        let start = start()
        var customer = CustomerLife(
            appID: app.id, accountID: "account-\(app.id)-\(number)", market: setting.market,
            environment: app.environment, subscriptions: [])
        add(scenario.product, in: setting, to: &customer) { [plan = self] in plan.write(with: &$0, from: start) }
        if scenario.hasSecondGroup {
            // In apps read by the server API the backend never hands it in.
            add(.addonMonthly, in: setting, isRegistered: app.api == .receipts, to: &customer) {
                $0.begin(.fullPrice, at: start + 2 * CivilTime.day)
                $0.write([.renewal])
                $0.mark(.secondGroup)
            }
        }
        if scenario.hasOwnToo {
            setting.ownership = .purchased
            add(.weekly, in: setting, to: &customer) {
                $0.begin(.fullPrice, at: start + CivilTime.hour / 2)
                $0.write([.renewal, .renewal])
                $0.mark(.ownAndFamily)
            }
        }
        sell(to: &customer, start)
        return customer
    }

    /// One subscription of the customer's, written by `body`.
    ///
    /// It does not depend on the others: chance is the same for all.
    private mutating func add(
        _ product: Product, in setting: LifeWriter.Setting, isRegistered: Bool = true,
        to customer: inout CustomerLife, _ body: (inout LifeWriter) -> Void
    ) {
        var writer = LifeWriter(
            setting, product: product, isRegistered: isRegistered, random: random, ids: identifiers)
        body(&writer)
        identifiers = writer.identifiers
        customer.subscriptions.append(writer.life)
        customer.steps.formUnion(writer.steps)
    }

    private func write(with writer: inout LifeWriter, from start: Int64) {
        writer.begin(scenario.opening, at: start)
        if let clock = app.sandboxClock {
            writer.writeCompressed(scenario.steps, by: clock)
        } else if scenario.opening == .commitment {
            writer.writeCommitment(isCancelled: scenario.endsWithCommitment)
        } else {
            writer.write(scenario.steps)
        }
    }

    /// A year in Indonesia costs more than 32 bits hold.
    ///
    /// The yen knows a change that is neither up nor down; commitments are not sold in the United States.
    private mutating func market() -> Market {
        if scenario.steps.contains(.crossgradeAtRenewal) { return .japan }
        if scenario.product == .yearly, scenario.opening != .commitment { return .indonesia }
        if scenario.opening == .commitment { return random.pick(.germany, .unitedKingdom, .japan, .indonesia) }
        return random.pick(.unitedStates, .unitedStates, .germany, .unitedKingdom, .japan, .indonesia)
    }

    /// Daylight hours only: nothing happens while the nightly job runs.
    private mutating func start() -> Int64 {
        let days: ClosedRange<Int64> =
            scenario.startsLastYear ? -340 ... -306 : scenario.startsEarly ? -45...5 : -55...span.lastStart
        let time = LifeSpan.timeOfDay(&random)
        return span.daylight(random.value(in: days), time)
    }

    /// What is sold once, minutes after the first purchase: before anybody reads that customer's history.
    private mutating func sell(to customer: inout CustomerLife, _ start: Int64) {
        for (place, kind) in scenario.sales.enumerated() {
            let quantity = kind == .consumable ? random.value(in: 1...3) : 1
            let hasCode = kind == .consumable && place > 0
            let price = customer.market.appStorePrice(of: kind, quantity: quantity)
            var sale = Period.sale(
                transactionID: identifiers.transaction(), productID: "\(app.bundleID).\(kind.productName)", kind: kind,
                purchasedAt: start + Int64(place + 1) * 5 * CivilTime.minute, quantity: quantity,
                priceMilliunits: hasCode ? price / 2 / 10 * 10 : price,
                offer: hasCode ? Offer(.code, .oneTime, identifier: "HALF", term: .months(1)) : nil)
            if place == 0 { refund(&sale) }
            customer.sales.append(sale)
            customer.steps.insert(.oneTimeSale)
        }
    }

    private mutating func refund(_ sale: inout Period) {
        let at = sale.purchasedAt + random.days(5...20)
        switch scenario.saleRefund {
        case nil: break
        case .full: sale.refund = Refund(at: at, extent: .full, reason: 1)
        case .prorated: sale.refund = Refund(at: at, extent: .prorated(percentage: 50_000))
        case .reversed:
            sale.refund = Refund(at: at, extent: .full)
            sale.refundChanges = [.init(at: at + random.days(1...25), nil)]
        }
    }
}
