// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// Reads the answer about a token that belongs to a one-time purchase: its sale is booked under the id of its order,
/// and the token is not followed.
///
/// While it awaits its payment, or its order is not settled, the token is asked about again.
struct SaleReader {
    private let answer: StoreAnswer
    private let document: StoreAnswer.Document
    private let readAt: Instant

    init(_ answer: StoreAnswer, _ document: StoreAnswer.Document, readAt: Instant) {
        self.answer = answer
        self.document = document
        self.readAt = readAt
    }

    func read() throws(UnreadableAnswer) -> Reading {
        guard let due = answer.inquiry.subscriptions.first, let purchase = ProductPurchase(document.body) else {
            throw .malformed(DocumentName.product)
        }
        var unknownValues = UnknownValueCounts()
        unknownValues.note(fields: purchase.unknownFields, of: "product")
        let known = ["PURCHASED", "CANCELLED", "PENDING"].contains(purchase.state)
        if !known { unknownValues.note("product.purchaseState=\(purchase.state)") }
        var refused: [RefusedRow] = []
        let order = order(of: purchase)
        let sales = sales(of: purchase, in: order, due, refused: &refused, &unknownValues)
        let unsettled = sales.isEmpty ? unsettledOrder(of: purchase, order) : nil
        // What is not understood is asked about again, as what awaits its payment is.
        let isOpen =
            sales.isEmpty
            && (unsettled != nil || !refused.isEmpty || !["CANCELLED", "PURCHASED"].contains(purchase.state))
        let observation =
            isOpen
            ? open(purchase, isUnderstood: known, awaiting: unsettled, due)
            : closed(purchase, sales, askedWith: due.storeKey)
        let archive = answer.documents.map(PlayArchive.document)
        return Reading(
            observations: observation.map { [$0] } ?? [], archive: archive, setAside: refused,
            unknownValues: unknownValues.counts,
            soldOnce: isOpen ? [] : [due.storeKey], documentHashes: orderHashes(archive))
    }

    /// The content hash of each order's document.
    private func orderHashes(_ archive: [ArchivedDocument]) -> [String: String] {
        let pairs = zip(answer.documents, archive).compactMap { document, archived in
            document.endpoint == DocumentName.order
                ? (document.read() as Order?).map { ($0.id.text, archived.answerHash) } : nil
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private func open(
        _ purchase: ProductPurchase, isUnderstood: Bool, awaiting unsettled: UnsettledOrder?, _ due: DueSubscription
    ) -> Observation {
        Observation(
            storeKey: due.storeKey, environment: purchase.environment,
            status: ObservedStatus(
                state: isUnderstood ? .pending : nil, raw: purchase.state,
                productID: purchase.lines.lazy.compactMap { $0?.productID }.first, sourceVersion: readAt),
            periods: [], unsettled: unsettled.map { [$0] } ?? [])
    }

    private func closed(
        _ purchase: ProductPurchase, _ sales: [ObservedPeriod], askedWith token: Secret
    ) -> Observation? {
        guard let orderID = sales.first?.originalTransactionID else { return nil }
        return Observation(
            storeKey: Secret(orderID), environment: purchase.environment, status: nil, periods: sales,
            askedWith: token)
    }

    private func order(of purchase: ProductPurchase) -> Order? {
        guard let id = purchase.settledOrderID else { return nil }
        return answer.documents.lazy.filter { $0.endpoint == DocumentName.order }
            .compactMap { $0.read() as Order? }.first { $0.id.text == id }
    }

    /// What was bought, and its order is not settled yet, or was not returned: its money waits.
    ///
    /// A test purchase's order may never be to be had.
    private func unsettledOrder(of purchase: ProductPurchase, _ order: Order?) -> UnsettledOrder? {
        guard purchase.state == "PURCHASED", !purchase.isTest, order?.isFinal != true else { return nil }
        return purchase.settledOrderID.map { UnsettledOrder(id: $0) }
    }

    /// The settled lines of its order; where the store returns no order of a test purchase, what was bought without its price.
    private func sales(
        of purchase: ProductPurchase, in order: Order?, _ due: DueSubscription, refused: inout [RefusedRow],
        _ unknownValues: inout UnknownValueCounts
    ) -> [ObservedPeriod] {
        guard let orderID = purchase.settledOrderID else {
            if purchase.state == "PURCHASED" { unknownValues.note("product without an order") }
            refused += refusal(of: ["orderId": purchase.orderID], in: purchase, due)
            return []
        }
        guard let order else {
            unknownValues.note("order unknown to the store")
            guard purchase.state == "PURCHASED", purchase.isTest else { return [] }
            for line in purchase.lines { refused += refusal(of: ["productId": line?.productID], in: purchase, due) }
            return unpriced(purchase, orderID: orderID, &unknownValues)
        }
        let context = OrderContext(
            readAt: readAt, country: purchase.country, isPrepaid: false, codeProducts: [])
        let rows = order.periods(context, unknownValues: &unknownValues)
        refused = rows.refused.map { $0.row(of: due.storeKey, in: order) }
        return rows.taken.filter { !$0.isAutoRenewable }
    }

    /// A row that cannot be booked for the length of an id in it.
    private func refusal(
        of ids: KeyValuePairs<String, String?>, in purchase: ProductPurchase, _ due: DueSubscription
    ) -> [RefusedRow] {
        KeyText.fault(in: ids).map { fault in
            [
                RefusedRow(
                    storeKey: due.storeKey, reason: KeyText.tooLong, detail: fault, transactionID: purchase.orderID)
            ]
        } ?? []
    }

    private func unpriced(
        _ purchase: ProductPurchase, orderID: String, _ unknownValues: inout UnknownValueCounts
    ) -> [ObservedPeriod] {
        guard let soldAt = purchase.completedAt else { return [] }
        let buyer = BuyerCountry([purchase.country], &unknownValues)
        return purchase.lines.compactMap(\.self).compactMap { line in
            line.productID.flatMap { KeyText.fits($0) ? $0 : nil }.map { product in
                ObservedPeriod(
                    PeriodFacts(
                        transactionID: orderID, periodKey: orderID, productID: product, purchasedAt: soldAt,
                        start: soldAt, end: nil, offerID: line.offerID, country: buyer.code),
                    SaleFacts(
                        originalTransactionID: orderID, quantity: line.quantity, priceSource: .missing,
                        sourceVersion: readAt),
                    isAutoRenewable: false, hint: .purchase, isOfUnknownCountry: buyer.isUnknown)
            }
        }
    }
}
