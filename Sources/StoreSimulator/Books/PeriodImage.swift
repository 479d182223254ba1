// SPDX-License-Identifier: Apache-2.0

/// A transaction, or one product of several in it, as its store shows it at one instant: what befell it later is not
/// visible yet.
struct PeriodImage: Sendable {
    struct Revocation: Hashable, Sendable {
        var at: Int64
        var reason: EndReason
    }

    /// A sum that went back, on its own day.
    struct Refunded: Hashable, Sendable {
        var at: Int64
        var micros: Int64
        var taxMicros: Int64?
    }

    /// What was charged for all products of an order together.
    struct Charge: Hashable, Sendable {
        var micros: Int64
        /// Nil where the store does not report it.
        var taxMicros: Int64?
        /// The developer's part; nil where the store does not report it.
        var proceedsMicros: Int64?
        /// Per cent of the price before tax that the store keeps by its published rates; nil where it is not asked for.
        var feePercent: Int64?
        var currency: String
    }

    var booked: BookedTransaction
    /// Not free, and its price not 0: the customer counts as paying.
    var isPaid: Bool
    /// What it is a purchase or a period of: the App Store's original transaction id, Google Play's token.
    var subscriptionID: String
    /// The subscription whose answers speak for it: the one that goes on with it, once that is known.
    var speaker: String
    /// Its place in its App Store subscription.
    var index = 0
    /// How long the product's periods last; nil where it covers none.
    var term: Term?
    /// One of several items of its transaction, and not the first, which stands for all of them.
    var isBeside = false
    /// Bought later than what it belongs to, and a line of its own.
    var isAddOn = false
    /// What was charged for all items of its transaction, where it was for several or more is known of it than its price.
    var wholeCharge: Charge?
    /// What whole periods of its plans cost as listed, where it was for the rest of one after a change of plan; no order
    /// reports the tax in that, nor the developer's part.
    var recurringCharge: Charge?
    /// When the period was cut short, and why: money may go back and leave it as it is.
    var revocation: Revocation?
    /// Seats that were bought within a period, beside the one it began with.
    var isAddition = false
    /// How many seats of a group were given back, as far as its row says so.
    var seatsGivenBack: Int64 = 0
    /// The store reported a share of the price that went back, and no amount.
    var isRefundDerived = false
    /// The sums that were given back of an item or an order, in the order of their days, where each is listed.
    var refunds: [Refunded] = []

    /// What it is known by from answer to answer: a transaction's id may change; seats that were added may share the line
    /// item of the transaction beside them, and items do.
    var key: String {
        if isBeside { return "\(booked.periodKey) \(booked.productID)" }
        return isAddition ? booked.transactionID : booked.periodKey
    }

    /// What was charged, all products of the transaction together; nil where nobody knows.
    var charge: Charge? {
        wholeCharge
            ?? booked.priceMicros.flatMap { micros in
                booked.currency.map { Charge(micros: micros, currency: $0) }
            }
    }

    /// The price of what is booked as money: nothing of testers, families and trials, nor of what cost nothing.
    var bookedPrice: Int64? {
        guard booked.environment == .production, booked.ownership == .purchased, booked.kind != .trial,
            let price = booked.priceMicros, price > 0
        else { return nil }
        return price
    }
}

/// What a period is in the line of its customer, by the life and not by anything a reader could derive.
struct PeriodClass: Hashable {
    var kind: BookedTransaction.Kind
    var isTrialConversion = false

    /// What a change of plan is by the value of a month of each, its price and its term; a period that cost nothing, or nobody
    /// knows what, compares with nothing.
    static func change(
        from old: (term: Term, price: Int64?), to new: (term: Term, price: Int64?)
    ) -> BookedTransaction.Kind {
        guard let oldPrice = old.price, let newPrice = new.price, oldPrice > 0, newPrice > 0 else { return .crossgrade }
        let (before, after) = (old.term.monthlyValue(of: oldPrice), new.term.monthlyValue(of: newPrice))
        return before == after ? .crossgrade : before < after ? .upgrade : .downgrade
    }
}
