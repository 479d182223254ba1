// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import StoreSimulator

/// Play purchases written by hand, short enough to be worked out on paper.
///
/// Prices are in cents.
enum PlayPaper {
    static let app = SimulatedApp.play(id: "acme-android", packageName: "com.acme.app")
    static let base = "GPA.1111-2222-3333-44444"

    /// A paid order: 8.40 a month with 1.34 of tax, of which the developer gets 6.00, unless said otherwise.
    static func order(
        _ number: Int?, _ processed: String, _ start: String, _ end: String, base: String = base,
        product: Product = .monthly, phase: PlayOrder.Phase = .base, total: Int64 = 840, tax: Int64 = 134,
        revenue: Int64? = 600
    ) -> PlayOrder {
        PlayOrder(
            id: number.map { "\(base)..\($0)" } ?? base, createdAt: instant(processed), processedAt: instant(processed),
            lines: [line(product, phase, total, tax)], serviceStart: instant(start), serviceEnd: instant(end),
            revenueMicros: revenue.map { $0 * 10_000 })
    }

    static func line(
        _ product: Product, _ phase: PlayOrder.Phase, _ total: Int64, _ tax: Int64
    ) -> PlayOrder.Line {
        PlayOrder.Line(
            product: product, phase: phase, listMicros: total * 10_000, totalMicros: total * 10_000,
            taxMicros: tax * 10_000)
    }

    /// A week for nothing from 2026-01-01 10:00.
    static let trial = order(
        nil, "2026-01-01T10:00:00Z", "2026-01-01T10:00:00Z", "2026-01-08T10:00:00Z", phase: .freeTrial, total: 0,
        tax: 0, revenue: nil)
    /// 2026-01-01 10:00 for a month.
    static let january = order(nil, "2026-01-01T10:00:00Z", "2026-01-01T10:00:00Z", "2026-02-01T10:00:00Z")
    /// The renewal after it, paid two hours early.
    static let february = order(0, "2026-02-01T08:00:00Z", "2026-02-01T10:00:00Z", "2026-03-01T10:00:00Z")

    static func moment(
        _ state: PlayMoment.State, _ at: String, until: String, renews: Bool = true, order: PlayOrder = january,
        by cancellation: PlayMoment.Cancellation? = nil, declined: String? = nil, resumes: String? = nil
    ) -> PlayMoment {
        PlayMoment(
            at: instant(at), state: state,
            items: order.lines.map {
                PlayMoment.Item(
                    product: $0.product, expiresAt: instant(until), renews: renews, latestOrderID: order.id,
                    phase: $0.phase)
            }, cancellation: cancellation, declinedOrderID: declined, resumesAt: resumes.map(instant))
    }

    static func token(_ orders: [PlayOrder], _ moments: [PlayMoment]) -> PlayToken {
        token("token-1", orders, moments)
    }

    static func token(
        _ name: String, linkedTo linked: String? = nil, _ orders: [PlayOrder], _ moments: [PlayMoment],
        _ change: (inout PlayToken) -> Void = { _ in }
    ) -> PlayToken {
        var token = PlayToken(token: name, startedAt: moments[0].at, linkedToken: linked)
        token.orders = orders
        token.moments = moments
        change(&token)
        return token
    }

    static func backend(_ tokens: PlayToken..., app: SimulatedApp = app) -> PlayBackend {
        PlayBackend(
            apps: [app],
            customers: [PlayCustomer(appID: app.id, accountID: "account-1", market: .germany, tokens: tokens)])
    }
}

extension PlayBackend {
    /// The books about them at an instant, as `Books` puts them together.
    func books(at now: String) -> Books {
        Books(
            customers: [], apps: [:], now: instant(now), disclosed: Disclosures(), play: books(at: instant(now)))
    }

    /// Asks for the state of a purchase, and for these orders of it.
    @discardableResult
    func ask(_ token: String, orders: [String] = [], at now: String) throws -> [String: Any] {
        let answer = try subscriptionV2(token, apps[0], at: instant(now), isReported: true)
        if !orders.isEmpty { _ = try self.orders(orders, apps[0], at: instant(now), isReported: true) }
        return answer.object
    }
}

extension StoreResponse {
    /// The JSON object of the body; empty where there is none.
    var object: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:] }
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// The books in one line each.
extension Books {
    func playStates(_ column: BookColumn = .happened) -> [String] {
        subscriptions(column).sorted { $0.originalTransactionID < $1.originalTransactionID }.map { it in
            let product = it.productID.replacing("com.acme.app.", with: "")
            let words = [
                it.originalTransactionID, it.state.rawValue, product, it.autoRenew == true ? "renews" : "ends",
                CivilTime.iso8601(it.expiresAt), it.graceExpiresAt.map { "grace " + CivilTime.iso8601($0) },
                it.endReason?.rawValue,
            ]
            return words.compactMap(\.self).joined(separator: " ")
        }
    }

    func playRows(_ column: BookColumn = .happened) -> [String] {
        transactions(column).sorted { ($0.periodStart, $0.productID) < ($1.periodStart, $1.productID) }.map { it in
            let money = [it.priceMicros, it.taxMicros, it.proceedsMicros].map { $0.map { "\($0)" } ?? "-" }
            let refund = it.refundKind.map { "\($0.rawValue) \(it.refundMicros ?? 0)" }
            let words = [
                String(it.transactionID.dropFirst(PlayPaper.base.count)), it.kind.rawValue,
                it.isTrialConversion ? "converted" : nil, it.offerType?.rawValue, money.joined(separator: "/"), refund,
                it.isUpgraded ? "upgraded" : nil,
            ]
            return words.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    func playRevenue(_ column: BookColumn = .happened, through last: String) -> [String] {
        revenue(column, through: last).map { row in
            "\(row.date) \(row.sales) tax \(row["tax"].map { "\($0)" } ?? "-") "
                + "proceeds \(row["proceeds"].map { "\($0)" } ?? "-")"
        }
    }

    /// The days on which anything but an opening stands in the churn rows, and the last opening.
    func playChurn(_ column: BookColumn = .happened, through last: String) -> [String] {
        churn(column, through: last).filter { !$0.texts(except: "opening").isEmpty || $0.date == last }.map {
            ([$0.date, $0.product] + $0.texts(except: "churned", "product")).joined(separator: " ")
        }
    }
}
