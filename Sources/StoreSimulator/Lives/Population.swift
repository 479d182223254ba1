// SPDX-License-Identifier: Apache-2.0

/// All customers of all apps, each with a whole life decided up front; the store then merely shows what is visible.
package enum Population {
    /// The span of time the lives are written for.
    package struct Span: Hashable, Sendable {
        /// The first night that looks at them.
        package var firstNight: Int64
        /// No period begins after it.
        package var horizon: Int64

        package init(firstNight: Int64, horizon: Int64) {
            self.firstNight = firstNight
            self.horizon = horizon
        }
    }

    /// The same seed gives the same lives, whatever the clock does. Apps of other stores are left out.
    package static func lives(
        seed: UInt64, customersPerApp: Int, apps: [SimulatedApp], span: Span
    ) -> [CustomerLife] {
        var ids = IdentifierSequence(seed: seed)
        return apps.enumerated().flatMap { index, app in
            (0..<(app.api == .play ? 0 : customersPerApp)).map { number in
                let random = SeededGenerator(seed: seed, stream: UInt64(index) << 32 | UInt64(number))
                return life(number, app, span, random, &ids)
            }
        }
    }

    private static func life(
        _ number: Int, _ app: SimulatedApp, _ span: Span, _ generator: SeededGenerator, _ ids: inout IdentifierSequence
    ) -> CustomerLife {
        var random = generator
        let theme = Theme.all[number % Theme.all.count]
        let isCrossgrade = theme.chapters.contains(.crossgradeAtRenewal)
        let storefront =
            isCrossgrade
            ? Storefront.japan : random.pick(.unitedStates, .unitedStates, .germany, .unitedKingdom, .japan, .indonesia)
        let setting = LifeWriter.Setting(
            bundleID: app.bundleID, storefront: storefront,
            ownership: theme.opening == .familyShared ? .familyShared : .purchased,
            pricesRiseAt: span.firstNight + 20 * CivilTime.day, horizon: span.horizon)
        let start = start(of: theme, span, &random)
        var writer = LifeWriter(setting, product: theme.product, isRegistered: true, random: random, ids: ids)
        writer.begin(theme.opening, at: start)
        writer.write(theme.chapters)
        ids = writer.identifiers
        var customer = CustomerLife(
            appID: app.id, accountID: "account-\(app.id)-\(number)", storefront: storefront,
            environment: app.environment, subscriptions: [writer.life], chapters: writer.chapters)
        if theme.hasSecondGroup { addSecond(to: &customer, setting, app, start, random, &ids) }
        return customer
    }

    /// Daylight hours only: nothing happens while the nightly job runs.
    private static func start(of theme: Theme, _ span: Span, _ random: inout SeededGenerator) -> Int64 {
        let days: ClosedRange<Int64> =
            theme.startsLastYear ? -340 ... -306 : theme.startsEarly ? -45...5 : -55...50
        let midnight = CivilTime.dayNumber(of: span.firstNight) * CivilTime.day
        let time = random.duration(from: 4 * CivilTime.hour, to: 23 * CivilTime.hour)
        return midnight + random.value(in: days) * CivilTime.day + time
    }

    /// A subscription in the other group; in apps read by the server API the backend never hands it in.
    private static func addSecond(
        to customer: inout CustomerLife, _ setting: LifeWriter.Setting, _ app: SimulatedApp, _ start: Int64,
        _ random: SeededGenerator, _ ids: inout IdentifierSequence
    ) {
        var writer = LifeWriter(
            setting, product: .addonMonthly, isRegistered: app.api == .receipts, random: random, ids: ids)
        writer.begin(.fullPrice, at: start + 2 * CivilTime.day)
        writer.write([.renewal])
        ids = writer.identifiers
        customer.subscriptions.append(writer.life)
        customer.chapters.formUnion(writer.chapters.union([.secondGroup]))
    }
}
