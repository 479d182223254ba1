// SPDX-License-Identifier: Apache-2.0

/// One customer to be: which of the app's, with what kind of life, and when.
struct Casting {
    let number: Int
    let theme: Theme
    let app: SimulatedApp
    let span: Population.Span

    /// The whole life, decided here and now.
    func life(_ generator: SeededGenerator, _ ids: inout IdentifierSequence) -> CustomerLife {
        var random = generator
        let setting = setting(storefront(&random))
        let start = start(&random)
        var writer = LifeWriter(setting, product: theme.product, isRegistered: true, random: random, ids: ids)
        write(with: &writer, from: start)
        ids = writer.identifiers
        var customer = CustomerLife(
            appID: app.id, accountID: "account-\(app.id)-\(number)", storefront: setting.storefront,
            environment: app.environment, subscriptions: [writer.life], chapters: writer.chapters)
        if theme.hasSecondGroup { addSecond(to: &customer, setting, start, random, &ids) }
        if theme.hasOwnToo { addOwn(to: &customer, setting, start, random, &ids) }
        sell(to: &customer, start, &random, &ids)
        return customer
    }

    private func write(with writer: inout LifeWriter, from start: Int64) {
        if let clock = app.sandboxClock {
            writer.begin(theme.opening, at: start, by: clock)
            writer.writeCompressed(theme.chapters, by: clock)
        } else {
            writer.begin(theme.opening, at: start)
            if theme.opening == .commitment {
                writer.writeCommitment(isCancelled: theme.endsWithCommitment)
            } else {
                writer.write(theme.chapters)
            }
        }
    }

    private func setting(_ storefront: Storefront) -> LifeWriter.Setting {
        LifeWriter.Setting(
            bundleID: app.bundleID, storefront: storefront,
            ownership: theme.opening == .familyShared ? .familyShared : .purchased,
            pricesRiseAt: span.firstNight + 20 * CivilTime.day, horizon: span.horizon,
            hasNotices: app.hasNotificationURL, clock: app.sandboxClock)
    }

    /// A year in Indonesia costs more than 32 bits hold. The yen knows a change that is neither up nor down; commitments are not sold in the United States.
    private func storefront(_ random: inout SeededGenerator) -> Storefront {
        if theme.chapters.contains(.crossgradeAtRenewal) { return .japan }
        if theme.product == .yearly, theme.opening != .commitment { return .indonesia }
        if theme.opening == .commitment { return random.pick(.germany, .unitedKingdom, .japan, .indonesia) }
        return random.pick(.unitedStates, .unitedStates, .germany, .unitedKingdom, .japan, .indonesia)
    }

    /// Daylight hours only: nothing happens while the nightly job runs.
    private func start(_ random: inout SeededGenerator) -> Int64 {
        let days: ClosedRange<Int64> =
            theme.startsLastYear ? -340 ... -306 : theme.startsEarly ? -45...5 : -55...span.lastStart
        let midnight = CivilTime.dayNumber(of: span.firstNight) * CivilTime.day
        let time = random.duration(from: 4 * CivilTime.hour, to: 23 * CivilTime.hour)
        return midnight + random.value(in: days) * CivilTime.day + time
    }

    /// A subscription in the other group; in apps read by the server API the backend never hands it in.
    private func addSecond(
        to customer: inout CustomerLife, _ setting: LifeWriter.Setting, _ start: Int64, _ random: SeededGenerator,
        _ ids: inout IdentifierSequence
    ) {
        var writer = LifeWriter(
            setting, product: .addonMonthly, isRegistered: app.api == .receipts, random: random, ids: ids)
        writer.begin(.fullPrice, at: start + 2 * CivilTime.day)
        writer.write([.renewal])
        ids = writer.identifiers
        customer.subscriptions.append(writer.life)
        customer.chapters.formUnion(writer.chapters.union([.secondGroup]))
    }

    /// The same group once more, bought by the customer besides what the family shares.
    private func addOwn(
        to customer: inout CustomerLife, _ setting: LifeWriter.Setting, _ start: Int64, _ random: SeededGenerator,
        _ ids: inout IdentifierSequence
    ) {
        var own = setting
        own.ownership = .purchased
        var writer = LifeWriter(own, product: .weekly, isRegistered: true, random: random, ids: ids)
        writer.begin(.fullPrice, at: start + CivilTime.hour / 2)
        writer.write([.renewal, .renewal])
        ids = writer.identifiers
        customer.subscriptions.append(writer.life)
        customer.chapters.formUnion(writer.chapters.union([.ownAndFamily]))
    }

    /// What is sold once, minutes after the first purchase: before anybody reads that customer's history.
    private func sell(
        to customer: inout CustomerLife, _ start: Int64, _ random: inout SeededGenerator,
        _ ids: inout IdentifierSequence
    ) {
        for (place, kind) in theme.sales.enumerated() {
            let quantity = kind == .consumable ? random.value(in: 1...3) : 1
            let hasCode = kind == .consumable && place > 0
            let price = customer.storefront.price(of: kind, quantity: quantity)
            var sale = OneTimeSale(
                transactionID: ids.transaction(), productID: "\(app.bundleID).\(kind.productName)", kind: kind,
                purchasedAt: start + Int64(place + 1) * 5 * CivilTime.minute, quantity: quantity,
                priceMilliunits: hasCode ? price / 2 / 10 * 10 : price,
                offer: hasCode ? Offer(.code, .oneTime, identifier: "HALF", term: .months(1)) : nil)
            if place == 0 { refund(&sale, &random) }
            customer.sales.append(sale)
            customer.chapters.insert(.oneTimeSale)
        }
    }

    private func refund(_ sale: inout OneTimeSale, _ random: inout SeededGenerator) {
        let at = sale.purchasedAt + random.duration(from: 5 * CivilTime.day, to: 20 * CivilTime.day)
        switch theme.saleRefund {
        case nil: break
        case .full: sale.refund = Refund(at: at, extent: .full, reason: 1)
        case .prorated: sale.refund = Refund(at: at, extent: .prorated(percentage: 50_000))
        case .reversed:
            sale.refund = Refund(at: at, extent: .full)
            sale.refundChanges = [.init(at: at + random.duration(from: CivilTime.day, to: 25 * CivilTime.day), nil)]
        }
    }
}
