// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// What the rows of a purchase's orders need to know of the purchase.
struct OrderContext {
    let readAt: Instant
    /// The purchase's word for it, where the order has none.
    let country: String?
    let isPrepaid: Bool
    /// Products that were signed up for with a code.
    let codeProducts: Set<String>
    /// When each of its items ends, by product, as the store says now.
    var itemEnds: [String: Instant] = [:]
    /// The latest order of each of its items.
    var latestOrders: [OrderID] = []
    /// The orders of the same answer.
    var orders: [Order] = []
    /// What was booked of the purchase.
    var known: [KnownPeriod] = []
}

extension Order {
    private static let settledStates: Set<String> = ["PROCESSED", "PENDING_REFUND", "PARTIALLY_REFUNDED", "REFUNDED"]
    /// Declined for good, or never paid.
    private static let canceledState = "CANCELED"
    /// Known and never booked.
    private static let openStates: Set<String> = ["PENDING", canceledState]

    /// Its money is booked, or will never be.
    var isFinal: Bool { Self.settledStates.contains(state) || state == Self.canceledState }

    /// Why a line cannot be booked.
    struct LineRefusal: Error {
        /// A short word for the table.
        let reason: String
        /// A sentence without any id.
        let detail: String

        static func missing(_ field: String) -> LineRefusal {
            LineRefusal(reason: "missing_field", detail: "An order's line has no usable \(field).")
        }
    }

    /// A row for each line of a settled order, and what could not be taken.
    func periods(
        _ context: OrderContext, unknownValues: inout UnknownValueCounts
    ) -> (taken: [ObservedPeriod], refused: [LineRefusal]) {
        unknownValues.note(fields: unknownFields, of: "order")
        for word in unknownWords { unknownValues.note(word) }
        guard Self.settledStates.contains(state) else {
            if !Self.openStates.contains(state) { unknownValues.note("order.state=\(state)") }
            return ([], [])
        }
        let money = OrderMoney(self, readAt: context.readAt, takenAway: productsTakenAway(context))
        let (proceeds, refunds, discounts) = (money.proceeds, money.refunds, money.storeDiscounts)
        var (taken, refused): ([ObservedPeriod], [LineRefusal]) = ([], [])
        for (index, line) in lines.enumerated() {
            do throws(LineRefusal) {
                guard var period = try period(of: line, context, &unknownValues) else { continue }
                period.facts.proceedsMicros = period.priceMicros == nil ? nil : proceeds?[index]
                period.refund = refunds?[index]
                period.sale.storeDiscountMicros = discounts.flatMap { $0[index] > 0 ? $0[index] : nil }
                taken.append(period)
            } catch {
                refused.append(error)
            }
        }
        return (taken, refused)
    }

    private func period(
        of line: OrderLine?, _ context: OrderContext, _ unknownValues: inout UnknownValueCounts
    ) throws(LineRefusal) -> ObservedPeriod? {
        guard let line else { throw .missing("lineItems") }
        unknownValues.note(fields: line.unknownFields, of: "order.line")
        guard line.isSubscription || line.isOneTime else {
            unknownValues.note("order.line without subscriptionDetails")
            return nil
        }
        if line.isOneTime { return try sale(of: line, context, &unknownValues) }
        guard let productID = line.productID else { throw .missing("productId") }
        try checkLength(of: line)
        guard let purchasedAt = processedAt ?? createdAt else { throw .missing("createTime") }
        let (start, end) = try service(of: line, productID: productID, purchasedAt: purchasedAt, context)
        let buyer = BuyerCountry([country, context.country], &unknownValues)
        if line.total == nil { unknownValues.note("order.line without a usable total") }
        if line.phase == nil { unknownValues.note("order.line without a known offer phase") }
        let offer = offer(of: line, context)
        return ObservedPeriod(
            PeriodFacts(
                transactionID: id.text, periodKey: id.text, productID: productID, basePlanID: line.basePlanID,
                purchasedAt: purchasedAt, start: start, end: end, offerType: offer,
                offerID: offer == nil ? nil : line.offerID, country: buyer.code,
                priceMicros: line.total?.micros, currency: line.total?.currency),
            SaleFacts(
                originalTransactionID: id.base, priceSource: line.total == nil ? .missing : .storeOrder,
                taxMicros: tax(of: line), recurringPriceMicros: recurringPrice(of: line, context, &unknownValues),
                sourceVersion: max(lastEventAt ?? .distantPast, context.readAt)),
            isFreeOffer: line.phase == .freeTrial || line.isRestOfTrial && line.total?.micros == 0,
            isPrepaid: context.isPrepaid,
            // A new token begins with a base order; what follows under it is never a new purchase.
            hint: id.isBase ? nil : .renewal, isOfUnknownCountry: buyer.isUnknown)
    }

    /// The service period of a line.
    ///
    /// Where the store does not state it, the one that was booked; else from the order's processing to the end of the
    /// item that it is the latest order of, or to the beginning of the order after it.
    private func service(
        of line: OrderLine, productID: String, purchasedAt: Instant, _ context: OrderContext
    ) throws(LineRefusal) -> (start: Instant, end: Instant) {
        let booked = context.known.first { $0.transactionID == id.text && $0.productID == productID }
        let start = line.start ?? booked?.start ?? purchasedAt
        let isLatest = context.latestOrders.contains(id)
        let stated =
            line.end ?? booked?.end ?? (isLatest ? context.itemEnds[productID] : beginning(after: productID, context))
        guard let end = stated, end > start else { throw .missing("servicePeriodEndTime") }
        return (start, end)
    }

    /// When the order that follows on it begins, of those in the answer and those that were booked.
    private func beginning(after productID: String, _ context: OrderContext) -> Instant? {
        let answered = context.orders.filter { $0.lines.contains { $0?.productID == productID } }.map { other in
            let line = other.lines.lazy.compactMap { $0?.productID == productID ? $0?.start : nil }.first
            return (id: other.id, start: line ?? other.processedAt ?? other.createdAt)
        }
        let booked = context.known.filter { $0.productID == productID }
            .map { (id: OrderID($0.transactionID), start: Optional($0.start)) }
        return (answered + booked).first { $0.id.base == id.base && $0.id.position == id.position + 1 }?.start
    }

    /// A one-time sale: it belongs to its order and to nothing else.
    private func sale(
        of line: OrderLine, _ context: OrderContext, _ unknownValues: inout UnknownValueCounts
    ) throws(LineRefusal) -> ObservedPeriod {
        guard let productID = line.productID else { throw .missing("productId") }
        try checkLength(of: line)
        guard let soldAt = processedAt ?? createdAt else { throw .missing("createTime") }
        if line.total == nil { unknownValues.note("order.line without a usable total") }
        let buyer = BuyerCountry([country, context.country], &unknownValues)
        return ObservedPeriod(
            PeriodFacts(
                transactionID: id.text, periodKey: id.text, productID: productID, purchasedAt: soldAt, start: soldAt,
                end: nil, offerID: line.offerID, country: buyer.code, priceMicros: line.total?.micros,
                currency: line.total?.currency),
            SaleFacts(
                originalTransactionID: id.text, quantity: line.quantity,
                priceSource: line.total == nil ? .missing : .storeOrder, taxMicros: tax(of: line),
                sourceVersion: max(lastEventAt ?? .distantPast, context.readAt)),
            isAutoRenewable: false, hint: .purchase, isOfUnknownCountry: buyer.isUnknown)
    }

    private func checkLength(of line: OrderLine) throws(LineRefusal) {
        let fault = KeyText.fault(in: [
            "orderId": id.text, "productId": line.productID, "basePlanId": line.basePlanID,
        ])
        if let fault { throw LineRefusal(reason: KeyText.tooLong, detail: fault) }
    }

    /// Items that ended before the time their line was sold for, while others of the purchase go on.
    private func productsTakenAway(_ context: OrderContext) -> Set<String> {
        let running = context.itemEnds.values.contains { $0 > context.readAt }
        guard running else { return [] }
        let ended = lines.compactMap { line -> String? in
            guard let product = line?.productID, let end = line?.end, let ends = context.itemEnds[product],
                ends <= context.readAt, ends < end
            else { return nil }
            return product
        }
        return Set(ended)
    }

    private func tax(of line: OrderLine) -> Int64? {
        guard let tax = line.tax, tax.currency == line.total?.currency else { return nil }
        return tax.micros
    }

    /// What a whole period of the plan costs the customer: the listed price, with the tax on it where the list leaves
    /// the tax out.
    ///
    /// A price of nothing says nothing.
    private func recurringPrice(
        of line: OrderLine, _ context: OrderContext, _ unknownValues: inout UnknownValueCounts
    ) -> Int64? {
        guard line.isRestOfPlan, let price = line.listed, price.micros > 0, price.currency == line.total?.currency
        else {
            return nil
        }
        guard isTaxListed == false else { return price.micros }
        let own = TaxShare(line.total, line.tax) ?? TaxShare(total, tax)
        guard let share = own ?? taxShare(amongst: context.orders, in: price.currency) else {
            unknownValues.note("order.line listed without its tax")
            return price.micros
        }
        return share.added(to: price.micros)
    }

    /// A phase of its own comes before the code that opened it; a code counts for the first order alone.
    private func offer(of line: OrderLine, _ context: OrderContext) -> OfferType? {
        if line.phase == .freeTrial || line.phase == .introductory { return .introductory }
        return id.isBase && line.productID.map(context.codeProducts.contains) == true ? .code : nil
    }
}
