// SPDX-License-Identifier: Apache-2.0

/// What a simulated store is made of.
package struct SimulatorConfiguration: Sendable {
    package typealias App = SimulatedApp
    /// This machine alone.
    package static let loopback = "127.0.0.1"

    package var seed: UInt64
    package var customersPerApp: Int
    package var apps: [SimulatedApp]
    /// The store's clock at the start; the first night is a day later.
    package var startClock: Int64
    /// Keys, certificates and address are written there.
    package var directory: String
    /// Nil: each store makes keys of its own.
    package var keyStock: KeyStock?
    package var port = 0
    /// The address it listens at, and is reached at.
    package var host = loopback
    /// Nil: requests are answered as fast as they come.
    package var quota: Quotas.Limit? = .published
    /// Whether an answer is given again, unexamined, to who asks the same until the clock moves.
    package var remembersAnswers = false
    /// The `http:` of the configuration it writes: 2 or 1.1.
    package var http = "2"
    /// The `requests_per_second` of the configuration it writes.
    package var requestsPerSecond = 40
    /// How many days after the first night App Store lives are written for.
    package var horizonDays: Int64 = 105
    /// The only kinds of lives that App Store customers have; nil for all of them.
    package var scenarios: [AppStoreScenario]?
    /// Lives written by hand; nil writes them from the seed.
    package var customers: [CustomerLife]?
    /// The same, of Google Play's customers.
    package var playCustomers: [PlayCustomer]?
    /// How many days after the first night Google Play's seeded lives go on beginning new periods.
    package var playHorizonDays: Int64 = 75
    /// What never happens in Google Play's seeded lives.
    package var playWithout: Set<PlayStep> = []

    package init(
        seed: UInt64, customersPerApp: Int, apps: [SimulatedApp], startClock: Int64, directory: String
    ) {
        self.seed = seed
        self.customersPerApp = customersPerApp
        self.apps = apps
        self.startClock = startClock
        self.directory = directory
    }
}

/// Who is there: the customers written by hand, or those of the seed.
extension SimulatorConfiguration {
    /// When somebody asks for the first time.
    var firstNight: Int64 { startClock + CivilTime.day }

    var lives: [CustomerLife] {
        customers
            ?? AppStorePopulation.lives(
                seed: seed, customersPerApp: customersPerApp, apps: apps, span: span(days: horizonDays),
                scenarios: scenarios)
    }

    var playLives: [PlayCustomer] {
        playCustomers
            ?? PlayPopulation.lives(
                seed: seed, customersPerApp: customersPerApp, apps: apps, span: span(days: playHorizonDays),
                without: playWithout)
    }

    private func span(days: Int64) -> LifeSpan {
        LifeSpan(firstNight: firstNight, horizon: firstNight + days * CivilTime.day)
    }
}
