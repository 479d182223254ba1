// SPDX-License-Identifier: Apache-2.0

/// Why a figure moved since it was issued.
package enum MovementCause: String, Sendable, Hashable, Encodable, CaseIterable {
    /// Refunds and their reversals that the store told later.
    case refunds
    /// Transactions that were unknown then.
    case transactions
    /// A price that was missing then, or was corrected.
    case prices
    /// A link between purchases: one continues the other.
    case links
    /// What the store said of transactions and subscriptions later: ended, in grace, moved to another country.
    case states
    /// A line of the catalogue that was imported.
    case catalogue
    /// Exchange rates that were imported.
    case rates
    /// Commission rules or tax rates that were imported.
    case rules
    /// The program reckons otherwise than the one that issued it.
    case definitions
    /// The reports' time zone is another one.
    case timeZone = "time_zone"
    /// A figure is rounded once, and so is each of its parts.
    case rounding
    /// The report does not say which transactions its figures are made of.
    case notFollowed = "not_followed"
    case unknown
}
