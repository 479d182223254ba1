// SPDX-License-Identifier: Apache-2.0

/// All customers of all Play apps, each with a whole life decided up front.
package enum PlayPopulation {
    /// The same seed gives the same lives, whatever the clock does.
    ///
    /// Apps of other stores are left out.
    ///
    /// `unwanted`: what never happens to anybody.
    package static func lives(
        seed: UInt64, customersPerApp: Int, apps: [SimulatedApp], span: LifeSpan,
        without unwanted: Set<PlayStep> = []
    ) -> [PlayCustomer] {
        apps.enumerated().flatMap { index, app -> [PlayCustomer] in
            guard let play = app.play else { return [] }
            return (0..<customersPerApp).map { number in
                let stream = 1 << 63 | UInt64(index) << 32 | UInt64(number)
                return life(
                    number, of: app, play: play, span: span, without: unwanted,
                    random: SeededGenerator(seed: seed, stream: stream),
                    sales: SeededGenerator(seed: seed, stream: stream | 1 << 62))
            }
        }
    }

    private static func life(
        _ number: Int, of app: SimulatedApp, play: SimulatedApp.Play, span: LifeSpan,
        without unwanted: Set<PlayStep>, random generator: SeededGenerator, sales: SeededGenerator
    ) -> PlayCustomer {
        var random = generator
        let isReadByV1 = play.api == .v1
        let scenarios = PlayScenarios.all.filter {
            (!isReadByV1 || $0.allSteps.allSatisfy(\.isKnownToV1)) && unwanted.isDisjoint(with: $0.allSteps)
        }
        let scenario = scenarios[number % scenarios.count]
        let market = scenario.market ?? random.pick(.unitedStates, .germany, .unitedKingdom, .japan, .brazil)
        var start = start(of: scenario, span, &random)
        // Play writes as many digits of a second as it has: none, three, six.
        start += random.pick(0, 123_000, isReadByV1 ? 7_000 : 456_789)
        let setting = PlayWriter.Setting(
            market: market, isReadByV1: isReadByV1, horizon: span.horizon, without: unwanted)
        var writer = PlayWriter(setting, product: scenario.product, random: random)
        writer.begin(scenario.opening, at: start)
        writer.write(scenario.steps)
        var customer = PlayCustomer(
            appID: app.id, accountID: "account-\(app.id)-\(number)", market: market, tokens: writer.tokens,
            steps: writer.steps)
        guard !isReadByV1, !unwanted.contains(.oneTimeSale) else { return customer }
        if let sale = PlaySales.sale(number: number, market: market, span: span, random: sales) {
            customer.tokens.append(sale)
            customer.steps.insert(.oneTimeSale)
        }
        return customer
    }

    /// Daylight hours only; never so early that the store could have forgotten an ended purchase by the first night.
    private static func start(
        of scenario: PlayScenario, _ span: LifeSpan, _ random: inout SeededGenerator
    ) -> Int64 {
        let time = LifeSpan.timeOfDay(&random)
        switch scenario.opening {
        case .forgotten: return span.daylight(-random.value(in: 100...200), time)
        // The third of its six periods of five minutes is running when the night comes.
        case .testPurchaseAtNight:
            return span.firstNight + random.value(in: 0...20) * CivilTime.day - 12 * CivilTime.minute
        default: break
        }
        if scenario.startsOnTheLastDay { return lastDay(before: span.firstNight) + time }
        let days: ClosedRange<Int64> =
            scenario.startsLastYear ? -340 ... -310 : scenario.startsEarly ? -40...5 : -50...50
        return span.daylight(random.value(in: days), time)
    }

    /// The midnight that begins the last 31st of a month before an instant.
    private static func lastDay(before instant: Int64) -> Int64 {
        var day = CivilTime.dayNumber(of: instant) - 1
        while CivilTime.fields(of: day * CivilTime.day).day != 31 { day -= 1 }
        return day * CivilTime.day
    }
}
