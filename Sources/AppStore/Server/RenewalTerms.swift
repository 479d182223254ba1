// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// `TransactionCommitmentInfo`: which of its payments a month of a plan with a commitment is.
struct CommitmentPlace: JSONReadable {
    /// From 1 on.
    let number: Int64?
    let total: Int64?
    /// The end of the last month, milliseconds since the Unix epoch.
    let expiresDate: Int64?

    init(_ fields: Fields) {
        number = fields.integer("billingPeriodNumber")
        total = fields.integer("totalBillingPeriods")
        expiresDate = fields.integer("commitmentExpiresDate")
    }
}

/// What the store says of the renewal to come: whether it comes, what it costs, and until when payments are committed to.
///
/// With a commitment `autoRenewStatus` is about the next month, the commitment's own flag about the end of its months.
struct RenewalTerms {
    let renewal: RenewalPayload
    let place: CommitmentPlace?
    /// When the running month ends, milliseconds since the Unix epoch.
    let expiresDate: Int64?
    /// The store has not called it over.
    let isRunning: Bool

    /// Nil for a number that the store invented.
    func autoRenew(_ unknownValues: inout UnknownValueCounts) -> Bool? {
        guard let status = renewal.autoRenewStatus else { return isOwed ? true : nil }
        guard (0...1).contains(status) else {
            unknownValues.note("renewal.autoRenewStatus=\(status)")
            return isOwed ? true : nil
        }
        if isOwed {
            if status == 0 { unknownValues.note("renewal.autoRenewStatus=0 while payments are committed") }
            return true
        }
        return isLast ? (renewal.commitment?.autoRenewStatus).map { $0 == 1 } ?? (status == 1) : status == 1
    }

    /// Where the months of a commitment that was cancelled end.
    var committedUntil: Instant? {
        guard renewal.commitment?.autoRenewStatus == 0 else { return nil }
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

    /// More months are to be paid, whatever the customer chose for their end.
    private var isOwed: Bool {
        guard isRunning, place != nil || renewal.commitment != nil else { return false }
        if let number = place?.number, let total = place?.total { return number < total }
        guard let end = endOfMonths, let expiresDate else { return false }
        return end - expiresDate > Self.day
    }

    private var isLast: Bool { isRunning && !isOwed && (place != nil || renewal.commitment != nil) }

    private var endOfMonths: Int64? { renewal.commitment?.renewalDate ?? place?.expiresDate }

    private static let day: Int64 = 86_400_000
}
