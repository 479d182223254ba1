// SPDX-License-Identifier: Apache-2.0

/// The compressed clock of a tester: how long a period lasts, and how often it renews before the store ends it.
package struct SandboxClock: Hashable, Sendable, Codable {
    /// The tester's renewal rate: the minutes a month takes.
    package enum Rate: Int64, Hashable, Sendable, Codable, CaseIterable {
        case threeMinutes = 3
        case fiveMinutes = 5
        case quarterHour = 15
        case halfHour = 30
        case hour = 60
    }

    package var rate: Rate
    /// 12 today, 6 formerly.
    package var renewals: Int64

    package init(rate: Rate = .fiveMinutes, renewals: Int64 = 12) {
        self.rate = rate
        self.renewals = renewals
    }

    /// How long a term takes. A week and shorter trials are the shortest; longer ones are that many months.
    package func length(of term: Term) -> Int64 {
        switch term {
        case .months(let count): count * rate.rawValue * CivilTime.minute
        case .weeks, .days: week * CivilTime.minute
        }
    }

    private var week: Int64 {
        switch rate {
        case .threeMinutes, .fiveMinutes: 3
        case .quarterHour: 5
        case .halfHour: 10
        case .hour: 15
        }
    }

    /// The grace: as long as a month.
    package var grace: Int64 { rate.rawValue * CivilTime.minute }
    /// How long the store tries to get its money: two months.
    package var retry: Int64 { 2 * grace }
}
