// SPDX-License-Identifier: Apache-2.0

/// One customer to be: which of the app's, with what kind of life, and when.
struct CustomerPlan {
    let number: Int
    let scenario: AppStoreScenario
    let app: SimulatedApp
    let span: LifeSpan

    /// The whole life, decided here and now.
    func life(_ generator: SeededGenerator, _ ids: inout IdentifierSequence) -> CustomerLife {
        var random = generator
        var setting = LifeWriter.Setting(app, market(&random), span)
        if scenario.opening == .familyShared { setting.ownership = .familyShared }
        let start = start(&random)
        var writer = LifeWriter(setting, product: scenario.product, isRegistered: true, random: random, ids: ids)
        write(with: &writer, from: start)
        ids = writer.identifiers
        var customer = CustomerLife(
            appID: app.id, accountID: "account-\(app.id)-\(number)", market: setting.market,
            environment: app.environment, subscriptions: [writer.life], steps: writer.steps)
        if scenario.hasSecondGroup {
            // In apps read by the server API the backend never hands it in.
            var other = LifeWriter(
                setting, product: .addonMonthly, isRegistered: app.api == .receipts, random: random, ids: ids)
            add(&other, to: &customer, at: start + 2 * CivilTime.day, [.renewal], as: .secondGroup, &ids)
        }
        if scenario.hasOwnToo {
            var own = setting
            own.ownership = .purchased
            var other = LifeWriter(own, product: .weekly, isRegistered: true, random: random, ids: ids)
            add(&other, to: &customer, at: start + CivilTime.hour / 2, [.renewal, .renewal], as: .ownAndFamily, &ids)
        }
        sell(to: &customer, start, &random, &ids)
        return customer
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

    /// A year in Indonesia costs more than 32 bits hold. The yen knows a change that is neither up nor down; commitments are
    /// not sold in the United States.
    private func market(_ random: inout SeededGenerator) -> Market {
        if scenario.steps.contains(.crossgradeAtRenewal) { return .japan }
        if scenario.product == .yearly, scenario.opening != .commitment { return .indonesia }
        if scenario.opening == .commitment { return random.pick(.germany, .unitedKingdom, .japan, .indonesia) }
        return random.pick(.unitedStates, .unitedStates, .germany, .unitedKingdom, .japan, .indonesia)
    }

    /// Daylight hours only: nothing happens while the nightly job runs.
    private func start(_ random: inout SeededGenerator) -> Int64 {
        let days: ClosedRange<Int64> =
            scenario.startsLastYear ? -340 ... -306 : scenario.startsEarly ? -45...5 : -55...span.lastStart
        let time = LifeSpan.timeOfDay(&random)
        return span.daylight(random.value(in: days), time)
    }

    /// One more subscription of the customer: of the other group, or of the same one besides what the family shares.
    private func add(
        _ writer: inout LifeWriter, to customer: inout CustomerLife, at instant: Int64, _ steps: [AppStoreStep],
        as step: AppStoreStep, _ ids: inout IdentifierSequence
    ) {
        writer.begin(.fullPrice, at: instant)
        writer.write(steps)
        ids = writer.identifiers
        customer.subscriptions.append(writer.life)
        customer.steps.formUnion(writer.steps.union([step]))
    }

    /// What is sold once, minutes after the first purchase: before anybody reads that customer's history.
    private func sell(
        to customer: inout CustomerLife, _ start: Int64, _ random: inout SeededGenerator,
        _ ids: inout IdentifierSequence
    ) {
        for (place, kind) in scenario.sales.enumerated() {
            let quantity = kind == .consumable ? random.value(in: 1...3) : 1
            let hasCode = kind == .consumable && place > 0
            let price = customer.market.appStorePrice(of: kind, quantity: quantity)
            var sale = Period.sale(
                transactionID: ids.transaction(), productID: "\(app.bundleID).\(kind.productName)", kind: kind,
                purchasedAt: start + Int64(place + 1) * 5 * CivilTime.minute, quantity: quantity,
                priceMilliunits: hasCode ? price / 2 / 10 * 10 : price,
                offer: hasCode ? Offer(.code, .oneTime, identifier: "HALF", term: .months(1)) : nil)
            if place == 0 { refund(&sale, &random) }
            customer.sales.append(sale)
            customer.steps.insert(.oneTimeSale)
        }
    }

    private func refund(_ sale: inout Period, _ random: inout SeededGenerator) {
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
