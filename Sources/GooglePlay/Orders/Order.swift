// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// One order: what was charged, for which time, and what was given back.
struct Order: JSONReadable {
    /// Something given back.
    struct RefundEvent {
        let at: Instant?
        let total: PlayMoney?
        let tax: PlayMoney?
        /// The customer's bank took it back.
        var isChargeback = false
    }

    private static let names: Set<String> = [
        "orderId", "purchaseToken", "state", "createTime", "lastEventTime", "buyerAddress", "salesChannel",
        "orderDetails", "lineItems", "orderHistory", "pointsDetails", "total", "tax",
        "developerRevenueInBuyerCurrency", "kind",
    ]

    let id: OrderID
    let purchaseToken: Secret?
    /// As the store spells it.
    let state: String
    let createdAt: Instant?
    let lastEventAt: Instant?
    let processedAt: Instant?
    /// ISO 3166-1 alpha-2.
    let country: String?
    /// With tax.
    let total: PlayMoney?
    let tax: PlayMoney?
    /// What the developer gets, already without what was given back in part.
    let revenue: PlayMoney?
    /// Nil for each that cannot be read.
    let lines: [OrderLine?]
    /// Those that are done, in the order of their instants.
    let partialRefunds: [RefundEvent]
    let refund: RefundEvent?
    /// What the store itself paid of the price (Play Points).
    let storeDiscount: PlayMoney?
    /// Whether listed prices have the tax in them; nil where the order does not say.
    let isTaxListed: Bool?
    let unknownFields: [String]
    /// Words of events that are unknown here.
    let unknownWords: [String]

    init(_ fields: Fields) throws {
        guard let id = fields.text("orderId") else { throw NoOrder() }
        self.id = OrderID(id)
        purchaseToken = fields.text("purchaseToken").map(Secret.init)
        state = fields.text("state") ?? ""
        createdAt = fields.time("createTime")
        lastEventAt = fields.time("lastEventTime")
        country = fields.object("buyerAddress")?.text("buyerCountry")
        total = fields.money("total")
        tax = fields.money("tax")
        revenue = fields.money("developerRevenueInBuyerCurrency")
        lines = fields.list("lineItems") ?? []
        let history = fields.object("orderHistory")
        processedAt = history?.object("processedEvent")?.time("eventTime")
        let partials: [PartialRefund?] = history?.list("partialRefundEvents") ?? []
        partialRefunds = partials.compactMap { $0?.done }.sorted { ($0.at ?? .distantPast) < ($1.at ?? .distantPast) }
        let closing = history?.object("refundEvent")
        refund = closing.map { RefundEvent($0, at: "eventTime") }
        storeDiscount = fields.object("pointsDetails")?.money("pointsCouponValue")
        // False is left out of an object that is there.
        isTaxListed = fields.object("orderDetails").map { $0.flag("taxInclusive") ?? false }
        unknownFields = fields.names(outside: Self.names)
        unknownWords = partials.compactMap { $0?.unknownState } + [Self.unknownReason(closing)].compactMap(\.self)
    }

    private static func unknownReason(_ refund: Fields?) -> String? {
        let known = ["REFUND_REASON_UNSPECIFIED", "OTHER", "CHARGEBACK"]
        return refund?.text("refundReason").flatMap { known.contains($0) ? nil : "refund.refundReason=\($0)" }
    }

    private struct NoOrder: Error {}

    private struct PartialRefund: JSONReadable {
        let done: RefundEvent?
        let unknownState: String?

        init(_ fields: Fields) {
            let state = fields.text("state") ?? ""
            done = state == "PROCESSED_SUCCESSFULLY" ? RefundEvent(fields, at: "processTime") : nil
            let known: Set<String> = ["PROCESSED_SUCCESSFULLY", "PENDING", "STATE_UNSPECIFIED"]
            unknownState = known.contains(state) ? nil : "partialRefund.state=\(state)"
        }
    }
}

extension Order.RefundEvent {
    fileprivate init(_ fields: Fields, at name: String) {
        let details = fields.object("refundDetails")
        self.init(
            at: fields.time(name), total: details?.money("total"), tax: details?.money("tax"),
            isChargeback: fields.text("refundReason") == "CHARGEBACK")
    }
}
