// SPDX-License-Identifier: Apache-2.0

@testable package import StoreSimulator

extension SimulatedStores {
    /// The cases that fewer customers of an app show than that, from the first night until then; every app's apart.
    package func rareCases(below least: Int, until end: Int64) -> [String] {
        let span = configuration.startClock + CivilTime.day...end
        return configuration.apps.flatMap { app -> [String] in
            let counts =
                app.play == nil
                ? AppStoreCoverage.count(backend.customers.filter { $0.appID == app.id }, in: span, of: app)
                : PlayCoverage.count(backend.play.customers.filter { $0.appID == app.id }, until: end)
            return counts.filter { $0.value < least }.map { "\(app.id): \($0.key)" }
        }.sorted()
    }
}
