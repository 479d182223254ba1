// SPDX-License-Identifier: Apache-2.0

import Foundation

extension StoreFront {
    /// The largest page of a history.
    static let pageSize = 20

    /// The store's ids are numbers.
    private static func isID(_ text: String) -> Bool { !text.isEmpty && text.allSatisfy(\.isNumber) }

    /// Get All Subscription Statuses. Only the subscription whose own id was asked has told where it stands.
    func statuses(
        of id: String, app: SimulatedApp, in environment: StoreEnvironment, telling: Telling
    ) throws -> DeskAnswer {
        guard Self.isID(id) else { return .failure(400, .malformedID) }
        guard let customer = customer(ofTransaction: id, app: app), customer.environment == environment else {
            return .failure(404, .unknownTransaction)
        }
        let now = clock
        let lives = customer.subscriptions.filter { $0.standing(at: now) != nil }
        let groups = try Dictionary(grouping: lives, by: \.groupID).map { group, lives in
            ServerAnswers.Statuses.Group(
                subscriptionGroupIdentifier: group,
                lastTransactions: try lives.compactMap { try entry($0, customer, app, now) })
        }
        reveal(
            lives.compactMap { life in life.standing(at: now).map { (life, $0.periodIndex) } },
            standings: lives.filter { life in life.periods.contains { $0.transactionID == id } }, of: customer,
            app: app, at: now, telling: telling)
        return try .json(
            ServerAnswers.Statuses(
                environment: environment.storeName, bundleId: app.bundleID, appAppleId: app.appAppleID, data: groups))
    }

    private func entry(
        _ life: SubscriptionLife, _ customer: CustomerLife, _ app: SimulatedApp, _ now: Int64
    ) throws -> ServerAnswers.Statuses.Entry? {
        guard let standing = life.standing(at: now) else { return nil }
        let period = life.periods[standing.periodIndex]
        return ServerAnswers.Statuses.Entry(
            status: standing.status.rawValue, originalTransactionId: life.originalTransactionID,
            signedTransactionInfo: try keys.sign(TransactionRow(period, of: life, by: customer, in: app, at: now)),
            signedRenewalInfo: try keys.sign(RenewalRow(standing, of: life, by: customer, at: now)))
    }

    /// Get Transaction History: by the instant of the last change; after a revision only what is new or changed.
    ///
    /// A revision names the instant and the place up to which a reader has read.
    func history(
        of id: String, revision: String?, app: SimulatedApp, in environment: StoreEnvironment, telling: Telling
    ) throws -> DeskAnswer {
        guard Self.isID(id) else { return .failure(400, .malformedID) }
        guard let customer = customer(ofTransaction: id, app: app), customer.environment == environment else {
            return .failure(404, .unknownTransaction)
        }
        let now = clock
        guard let from = Revision(revision) else { return .failure(400, .unknownRevision) }
        let changes = customer.subscriptions.flatMap { life in
            life.periods.indices.compactMap { index in
                life.periods[index].lastModified(at: now).map { at in
                    (at: Revision(at: at, id: life.periods[index].transactionID), life: life, index: index)
                }
            }
        }.filter { $0.at > from }.sorted { $0.at < $1.at }
        let page = changes.prefix(Self.pageSize)
        reveal(page.map { ($0.life, $0.index) }, standings: [], of: customer, app: app, at: now, telling: telling)
        return try .json(
            ServerAnswers.History(
                revision: (page.last?.at ?? from).text, hasMore: changes.count > page.count, bundleId: app.bundleID,
                appAppleId: app.appAppleID, environment: environment.storeName,
                signedTransactions: try page.map {
                    try keys.sign(
                        TransactionRow($0.life.periods[$0.index], of: $0.life, by: customer, in: app, at: now))
                }))
    }
}

/// How far a history was read; opaque to its reader.
struct Revision: Comparable {
    let at: Int64
    let id: String

    init(at: Int64, id: String) {
        self.at = at
        self.id = id
    }

    /// Nil for a text that no answer ever gave out; no text is the beginning.
    init?(_ text: String?) {
        guard let text else {
            self.init(at: .min, id: "")
            return
        }
        guard let data = Data(base64Encoded: text) else { return nil }
        let parts = String(decoding: data, as: UTF8.self).split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "r", let at = Int64(parts[1]) else { return nil }
        self.init(at: at, id: String(parts[2]))
    }

    var text: String { Data("r_\(at)_\(id)".utf8).base64EncodedString() }

    static func < (left: Revision, right: Revision) -> Bool { (left.at, left.id) < (right.at, right.id) }
}
