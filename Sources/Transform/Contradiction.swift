// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// Why a period of an answer cannot be taken: it says two things that cannot both be true, or says nothing at all.
struct Contradiction: Hashable {
    /// A word for the table.
    let reason: String
    /// A sentence for people.
    let detail: String
    let transactionID: String

    init?(in period: ObservedPeriod) {
        let id = period.transactionID
        let name = "Transaction \(id)"
        if period.transactionID.isEmpty || period.originalTransactionID.isEmpty || period.productID.isEmpty {
            self.init(
                of: id, "missing_id", "A transaction without its id, its original id or its product cannot be kept.")
        } else if [period.transactionID, period.originalTransactionID, period.productID].contains(where: \.isCutOff) {
            self.init(of: id, "unreadable_id", "\(name) has an id that was cut off within a character.")
        } else if let end = period.end, end < period.start {
            self.init(
                of: id, "period_ends_before_start",
                "\(name) ends (\(end.iso8601)) before it starts (\(period.start.iso8601)).")
        } else if period.isAutoRenewable && period.end == nil {
            self.init(of: id, "missing_period_end", "\(name) is a subscription's period and names no end.")
        } else if let price = period.priceMicros, price < 0 {
            self.init(of: id, "negative_price", "\(name) has the negative price of \(price) micros.")
        } else if period.quantity < 1 {
            self.init(of: id, "quantity_out_of_range", "\(name) is for a quantity of \(period.quantity).")
        } else if let refund = period.refund, !refund.isPossible {
            self.init(of: id, "refund_out_of_range", "\(name) has a refund below nothing or above the whole.")
        } else {
            return nil
        }
    }

    private init(of transactionID: String, _ reason: String, _ detail: String) {
        self.transactionID = transactionID.isEmpty ? SetAside.unidentified : transactionID
        self.reason = reason
        self.detail = detail
    }

    func setAside(_ key: SubscriptionKey) -> SetAside {
        SetAside(key: key, stage: "transform", reason: reason, detail: detail, transactionID: transactionID)
    }
}

extension ObservedPeriod.Refund {
    fileprivate var isPossible: Bool {
        (micros ?? 0) >= 0 && (0...RefundAmount.whole).contains(thousandthsOfPercent ?? 0)
    }
}

extension String {
    /// Half a surrogate pair was read in it.
    fileprivate var isCutOff: Bool { unicodeScalars.contains("\u{FFFD}") }
}
