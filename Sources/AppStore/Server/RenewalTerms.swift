// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// What the store says of the renewal to come: whether it comes, what it costs, and until when payments are committed to.
///
/// With a commitment `autoRenewStatus` is about the next month, the commitment's own flag about the end of its months.
struct RenewalTerms {
    let renewal: RenewalPayload
    let place: CommitmentPlace?
    /// The running month is one of a commitment.
    ///
    /// What renews into a commitment is in none yet.
    let isCommitted: Bool
    /// When the running month ends, milliseconds since the Unix epoch.
    let expiresDate: Int64?
    /// The store has not called it over.
    let isRunning: Bool

    /// Nil for a number that the store invented.
    ///
    /// Where it is unknown whether more months are owed, the next one's flag counts.
    func autoRenew(_ unknownValues: inout UnknownValueCounts) -> Bool? {
        let next = flag(renewal.autoRenewStatus, named: "autoRenewStatus", &unknownValues)
        let own = flag(renewal.commitment?.autoRenewStatus, named: "commitmentAutoRenewStatus", &unknownValues)
        switch isOwed {
        case true?:
            if next == false { unknownValues.note("renewal.autoRenewStatus=0 while payments are committed") }
            return true
        case false?: return own ?? next
        case nil: return next
        }
    }

    /// Where the months of a commitment that was cancelled end.
    var committedUntil: Instant? {
        guard isCommitted, renewal.commitment?.autoRenewStatus == 0 else { return nil }
        return Instant(storeMilliseconds: endOfMonths)
    }

    /// Of seats the row's own price is the average of one, their tiers make the sum.
    func price(_ unknownValues: inout UnknownValueCounts) -> RenewalPrice? {
        guard renewal.price != nil || renewal.seats != nil else { return nil }
        let micros = renewal.seats.map(\.totalMicros) ?? renewal.price.flatMap(Money.micros(milliunits:))
        let price = micros.flatMap { micros in
            renewal.currency.flatMap { RenewalPrice(micros: micros, currency: $0) }
        }
        if price == nil { unknownValues.note("renewal.renewalPrice without meaning") }
        return price
    }

    /// More months are to be paid, whatever the customer chose for their end; false in the last one, nil where that is unknown or no
    /// commitment runs.
    private var isOwed: Bool? {
        guard isRunning, isCommitted else { return nil }
        if let number = place?.number, let total = place?.total { return number < total }
        guard let end = endOfMonths, let expiresDate else { return nil }
        return end - expiresDate > Self.day
    }

    private func flag(_ value: Int64?, named name: String, _ unknownValues: inout UnknownValueCounts) -> Bool? {
        guard let value else { return nil }
        guard (0...1).contains(value) else {
            unknownValues.note("renewal.\(name)=\(value)")
            return nil
        }
        return value == 1
    }

    private var endOfMonths: Int64? { renewal.commitment?.renewalDate ?? place?.expiresDate }

    private static let day: Int64 = 86_400_000
}
