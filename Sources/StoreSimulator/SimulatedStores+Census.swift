// SPDX-License-Identifier: Apache-2.0

extension SimulatedStores {
    /// The cases that fewer customers of an app show than that, from the first night until then; every app's apart.
    package func rareCases(below least: Int, until end: Int64) -> [String] {
        let span = configuration.startClock + CivilTime.day...end
        let appStore = Dictionary(grouping: front.customers, by: \.appID).flatMap { app, customers in
            Census.count(customers, in: span, of: configuration.apps.first { $0.id == app }).filter { $0.value < least }
                .map { "\(app): \($0.key)" }
        }
        let play = Dictionary(grouping: front.play.customers, by: \.appID).flatMap { app, customers in
            PlayCensus(customers, until: end).cases(below: least).map { "\(app): \($0)" }
        }
        return (appStore + play).sorted()
    }
}
