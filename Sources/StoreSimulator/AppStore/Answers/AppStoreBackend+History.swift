// SPDX-License-Identifier: Apache-2.0

import Foundation

extension AppStoreBackend {
    /// The largest page of a history.
    static let pageSize = 20

    /// Get Transaction History: by the instant of the last change; after a revision only what is new or changed.
    ///
    /// A revision names the instant and the place up to which a reader has read.
    func history(of id: String, _ query: HistoryQuery, for reader: AppStoreReader) throws -> StoreResponse {
        if let failure = query.failure { return .failure(400, failure) }
        return try pages(of: id, for: reader) { customer, now in
            guard let from = Revision(query.revision, isDescending: query.isDescending) else { return nil }
            let changes = Self.changes(of: customer, at: now) { query.wants($0, at: now) }
            let rest = query.isDescending ? changes.reversed().filter { $0.at < from } : changes.filter { $0.at > from }
            return (from, rest)
        } body: { page in
            [
                "revision": page.revision, "hasMore": page.hasMore, "bundleId": reader.app.bundleID,
                "appAppleId": reader.app.appAppleID, "environment": reader.environment.storeName,
                "signedTransactions": page.rows,
            ]
        }
    }

    /// Get Refund History: what money was given back for, and still is; what was merely withdrawn from a family is not
    /// among it, nor what was reversed.
    func refunds(of id: String, revision: String?, for reader: AppStoreReader) throws -> StoreResponse {
        try pages(of: id, for: reader) { customer, now in
            guard let from = Revision(revision) else { return nil }
            let refunded = Self.changes(of: customer, at: now) { purchase in
                purchase.period.refund(at: now)?.isOfMoney ?? purchase.hasGivenBack(at: now)
            }
            return (from, refunded.filter { $0.at > from })
        } body: { page in
            ["revision": page.revision, "hasMore": page.hasMore, "signedTransactions": page.rows]
        }
    }

    /// A transaction with the place of its last change.
    typealias Change = (at: Revision, purchase: AppStorePurchase)

    private struct Page {
        let revision: String
        let hasMore: Bool
        let rows: [String]
    }

    /// In the order of their last changes.
    private static func changes(of customer: CustomerLife, at now: Int64, where wanted: (AppStorePurchase) -> Bool)
        -> [Change]
    {
        customer.everything.filter(wanted).compactMap { purchase in
            purchase.period.lastModified(at: now).map { at in
                (at: Revision(at: at, id: purchase.identifiers[0].id), purchase: purchase)
            }
        }.sorted { $0.at < $1.at }
    }

    /// A page of at most twenty, or as few as this customer's pages hold; `choose` returns from where on and what is
    /// left, nil for a revision nobody gave out.
    private func pages(
        of id: String, for reader: AppStoreReader,
        choose: (CustomerLife, Int64) -> (from: Revision, rest: [Change])?, body: (Page) -> WireObject
    ) throws -> StoreResponse {
        try answer(about: id, for: reader) { customer, now in
            guard let (from, rest) = choose(customer, now) else { return .failure(400, .unknownRevision) }
            let page = rest.prefix(min(customer.historyPage, Self.pageSize))
            disclose(page.map(\.purchase), of: customer, to: reader, at: now)
            let rows = try page.map { try sign($0.purchase, of: customer, in: reader.app, at: now) }
            return try .json(
                body(Page(revision: (page.last?.at ?? from).text, hasMore: rest.count > page.count, rows: rows)))
        }
    }
}

/// How far a history was read; opaque to its reader.
struct Revision: Comparable {
    let at: Int64
    let id: String

    var text: String { Data("r_\(at)_\(id)".utf8).base64EncodedString() }

    static func < (left: Revision, right: Revision) -> Bool { (left.at, left.id) < (right.at, right.id) }
}

extension Revision {
    /// Nil for a text that no answer ever gave out; no text is the beginning.
    init?(_ text: String?, isDescending: Bool = false) {
        guard let text else {
            self.init(at: isDescending ? .max : .min, id: "")
            return
        }
        guard let data = Data(base64Encoded: text) else { return nil }
        let parts = String(decoding: data, as: UTF8.self).split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "r", let at = Int64(parts[1]) else { return nil }
        self.init(at: at, id: String(parts[2]))
    }
}
