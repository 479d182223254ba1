// SPDX-License-Identifier: Apache-2.0

/// All customers of all Play apps, each with a whole life decided up front.
package enum PlayPopulation {
    /// The same seed gives the same lives, whatever the clock does. Apps of other stores are left out.
    package static func lives(
        seed: UInt64, customersPerApp: Int, apps: [SimulatedApp], span: Population.Span
    ) -> [PlayCustomer] {
        apps.enumerated().flatMap { index, app -> [PlayCustomer] in
            guard let play = app.play else { return [] }
            return (0..<customersPerApp).map { number in
                let random = SeededGenerator(seed: seed, stream: 1 << 63 | UInt64(index) << 32 | UInt64(number))
                return life(number, app, play, span, random)
            }
        }
    }

    private static func life(
        _ number: Int, _ app: SimulatedApp, _ play: SimulatedApp.Play, _ span: Population.Span,
        _ generator: SeededGenerator
    ) -> PlayCustomer {
        var random = generator
        let isReadByV1 = play.api == .v1
        let themes = isReadByV1 ? PlayTheme.all.filter(\.isToldByV1) : PlayTheme.all
        let theme = themes[number % themes.count]
        let isCrossgrade = theme.chapters.contains(.crossgrade)
        let market =
            isCrossgrade ? PlayMarket.japan : random.pick(.unitedStates, .germany, .unitedKingdom, .japan, .brazil)
        var start = start(of: theme, span, &random)
        // Play writes as many digits of a second as it has: none, three, six.
        start += random.pick(0, 123_000, isReadByV1 ? 7_000 : 456_789)
        let setting = PlayWriter.Setting(market: market, isReadByV1: isReadByV1, horizon: span.horizon)
        var writer = PlayWriter(setting, product: theme.product, random: random)
        writer.begin(theme.opening, at: start)
        writer.write(theme.chapters)
        return PlayCustomer(
            appID: app.id, accountID: "account-\(app.id)-\(number)", market: market, tokens: writer.tokens,
            chapters: writer.chapters)
    }

    /// Daylight hours only; never so early that the store could have forgotten an ended purchase by the first night.
    private static func start(
        of theme: PlayTheme, _ span: Population.Span, _ random: inout SeededGenerator
    ) -> Int64 {
        let days: ClosedRange<Int64> =
            theme.startsLastYear ? -340 ... -310 : theme.startsEarly ? -40...5 : -50...50
        let midnight = CivilTime.dayNumber(of: span.firstNight) * CivilTime.day
        let time = random.duration(from: 4 * CivilTime.hour, to: 23 * CivilTime.hour)
        return midnight + random.value(in: days) * CivilTime.day + time
    }
}
