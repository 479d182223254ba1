// SPDX-License-Identifier: Apache-2.0

/// All customers of all App Store apps, each with a whole life decided up front; the store then merely shows what is visible.
package enum AppStorePopulation {
    /// The same seed gives the same lives, whatever the clock does.
    ///
    /// Apps of other stores are left out.
    ///
    /// Cases that hardly any customer shows come on top, one of each kind for every fifty customers of an app, after all
    /// the others: nothing of theirs depends on them.
    ///
    /// `scenarios`: the only kinds of lives there are, in turn; nil for all of them, and those of testers for apps with
    /// a compressed clock.
    package static func lives(
        seed: UInt64, customersPerApp: Int, apps: [SimulatedApp], span: LifeSpan, scenarios: [AppStoreScenario]? = nil
    ) -> [CustomerLife] {
        var ids = IdentifierSequence(seed: seed)
        let ordinary = apps.enumerated().flatMap { index, app in
            (0..<(app.api == .play ? 0 : customersPerApp)).map { number in
                let stream = UInt64(index) << 32 | UInt64(number)
                let kinds =
                    scenarios
                    ?? (app.sandboxClock == nil ? AppStoreScenarios.ordinary : AppStoreScenarios.compressed)
                var plan = CustomerPlan(
                    number: number, scenario: kinds[number % kinds.count], app: app, span: span,
                    random: SeededGenerator(seed: seed, stream: stream), identifiers: ids)
                defer { ids = plan.identifiers }
                return plan.life()
            }
        }
        guard scenarios == nil else { return ordinary }
        return ordinary + rareLives(seed: seed, ofEach: customersPerApp / 50, apps: apps, span: span)
    }

    private static func rareLives(
        seed: UInt64, ofEach count: Int, apps: [SimulatedApp], span: LifeSpan
    ) -> [CustomerLife] {
        var ids = IdentifierSequence(onTopOf: seed)
        return rareKinds(in: apps).flatMap { index, place, kind in
            (0..<count).flatMap { number in
                let stream = UInt64(index) << 32 | 1 << 31 | UInt64(place) << 16 | UInt64(number)
                var plan = RareCustomerPlan(
                    kind: kind, number: number, app: apps[index], span: span,
                    random: SeededGenerator(seed: seed, stream: stream), identifiers: ids)
                defer { ids = plan.identifiers }
                return plan.customers()
            }
        }
    }

    /// What occurs in each app, by the app's place and its own; those that were written later come after all the others.
    private static func rareKinds(in apps: [SimulatedApp]) -> [(app: Int, place: Int, kind: RareLife)] {
        let all = apps.enumerated().flatMap { index, app in
            RareLife.allCases.filter { $0.occurs(in: app) }.enumerated().map { place, kind in
                (app: index, place: place, kind: kind)
            }
        }
        return all.filter { !$0.kind.isLater } + all.filter(\.kind.isLater)
    }
}
