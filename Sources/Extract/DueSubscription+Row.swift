// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Model
internal import Postgres
internal import SQLCatalog

/// What decides whether a subscription's whole history is to be read on.
struct Watch {
    let now: Instant
    let isAudit: Bool
    let days: [Int64]

    /// All of it for an audit, for rows that were set aside, for a refund that named no row, and for the last look at a charge; what
    /// changed for the looks before, for a refund that a store event reported and for charges to be placed again.
    func historyReach(
        _ known: [KnownPeriod], of store: StoreKind, setAside: [RowSetAside], lastCheckedAt: Instant?, reason: String,
        isNotified: Bool
    ) -> HistoryReach {
        if isNotified { return .restarted }
        if isAudit || looksFor(setAside) { return .fromBeginning }
        let look = lookDue(known, of: store, lastCheckedAt: lastCheckedAt)
        if look.map({ $0 == days.max() }) ?? false { return .fromBeginning }
        let asks = [NextCheck.Reason.refundNotified, .linked].map(\.rawValue)
        return look != nil || asks.contains(reason) ? .fromCursor : .asNeeded
    }

    /// One of them is due to be looked for; one that makes nothing due any more is, whenever its subscription is asked.
    func looksFor(_ setAside: [RowSetAside]) -> Bool {
        guard !setAside.isEmpty else { return false }
        return isAudit || setAside.contains { $0.nextLook.map { $0 <= now } ?? true }
    }

    /// The look at a charge that fell due since the last answer, in days after the charge.
    private func lookDue(_ known: [KnownPeriod], of store: StoreKind, lastCheckedAt: Instant?) -> Int64? {
        guard !days.isEmpty, let checked = lastCheckedAt else { return nil }
        let charges = known.filter { $0.kind != .trial && $0.ownership == .purchased }
        return [false, true].compactMap { isGivenBack in
            RefundWatch.due(
                charges: charges.filter { $0.isGivenBack == isGivenBack }.map(\.purchasedAt), after: checked, upTo: now,
                days: RefundWatch.days(days, isGivenBack: isGivenBack, in: store))
        }.max()
    }

    /// Nothing but the refund watch fell due: it has ended, or runs on and its regular check is still to come.
    ///
    /// A regular check and a watch that are both due are both done.
    func wantsOnlyRefunds(_ snapshot: SubscriptionSnapshot, of store: StoreKind, reason: String) -> Bool {
        guard !isAudit, reason == NextCheck.Reason.refundWatch.rawValue else { return false }
        switch snapshot.state {
        case .expired, .revoked: return true
        case .trial, .active: return regularCheck(of: snapshot, store).map { $0 > now } ?? false
        default: return false
        }
    }

    /// When the last answer asked to be looked at again, its charges apart.
    private func regularCheck(of snapshot: SubscriptionSnapshot, _ store: StoreKind) -> Instant? {
        let situation = NextCheck.Situation(
            store: store, state: snapshot.state, autoRenew: snapshot.autoRenew, expiresAt: snapshot.expiresAt)
        return snapshot.lastCheckedAt.flatMap { NextCheck.after(situation, now: $0).at }
    }
}

extension DueSubscription {
    init(
        _ row: PostgresRow, known: [KnownPeriod], earlier: [KnownPeriod], awaited: [AwaitedOrder],
        setAside: [RowSetAside], watch: Watch
    ) throws(PostgresError) {
        let snapshot = try SubscriptionSnapshot(row)
        let reason = try row.string("next_check_reason")
        let store = try row.word("store", as: StoreKind.self)
        self.init(
            key: try row.subscriptionKey("subscription_key"),
            lineageKey: try row.subscriptionKey("lineage_key"),
            appID: AppID(try row.string("app_id")),
            storeKey: Secret(try row.string("store_key")),
            environment: try row.optionalWord("environment", as: PurchaseEnvironment.self),
            accountID: try row.optionalString("account_id"),
            productID: try row.optionalString("product_id"),
            country: try row.optionalString("country"),
            snapshot: snapshot,
            historyCursor: try row.optionalString("history_cursor"),
            historyReach: watch.historyReach(
                known, of: store, setAside: setAside, lastCheckedAt: snapshot.lastCheckedAt, reason: reason,
                isNotified: try row.bool("is_history_notified")),
            // An order that is still to be booked needs its purchase: where it was made, and what its items are.
            wantsOnlyRefunds: awaited.isEmpty && watch.wantsOnlyRefunds(snapshot, of: store, reason: reason),
            receipt: try Receipt(row),
            known: known,
            knownEarlier: earlier,
            registeredAt: try row.optionalInstant("registered_at"),
            reason: NextCheck.Reason(rawValue: reason),
            refundReports: try RefundReports(row),
            notifiedRows: try row.optionalTextArray("notified_rows").compactMap { $0.map(Secret.init) },
            awaited: awaited,
            rowsSetAside: setAside,
            looksForRowsSetAside: watch.looksFor(setAside),
            checkRequests: try row.int64("check_requests"))
    }

    /// A one-time sale that is looked at for refunds.
    ///
    /// No state of it is known, and none is asked for.
    ///
    /// `lines`: one for each product of it; never empty.
    init(sale key: SubscriptionKey, _ lines: [PostgresRow]) throws(PostgresError) {
        let row = lines[0]
        let (original, transactionID) = (
            try row.optionalString("original_transaction_id"), try row.string("transaction_id")
        )
        var known: [KnownPeriod] = []
        for line in lines { known.append(try KnownPeriod(line)) }
        self.init(
            key: key, lineageKey: key, appID: AppID(try row.string("app_id")),
            storeKey: Secret(original ?? transactionID),
            environment: try row.optionalWord("environment", as: PurchaseEnvironment.self), accountID: nil,
            productID: try row.string("product_id"), country: try row.optionalString("country"),
            snapshot: SubscriptionSnapshot(
                lastFailedAt: try row.optionalInstant("last_failed_at"), failures: try row.int("failures")),
            historyCursor: nil, receipt: try Receipt(row), known: known, isSale: true)
    }
}

extension SubscriptionSnapshot {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            state: try row.word("state", as: SubscriptionState.self),
            stateRaw: try row.optionalString("state_raw"),
            productID: try row.optionalString("product_id"),
            autoRenew: try row.optionalBool("auto_renew"),
            autoRenewProductID: try row.optionalString("auto_renew_product_id"),
            expiresAt: try row.optionalInstant("expires_at"),
            graceExpiresAt: try row.optionalInstant("grace_expires_at"),
            endedAt: try row.optionalInstant("ended_at"),
            endReason: try row.optionalWord("end_reason", as: EndReason.self),
            committedUntil: try row.optionalInstant("committed_until"),
            renewalPrice: try row.renewalPrice(),
            lastCheckedAt: try row.optionalInstant("last_checked_at"),
            lastFailedAt: try row.optionalInstant("last_failed_at"),
            failures: try row.int("failures"),
            refusals: try row.int("refusals"),
            lastRefusedAt: try row.optionalInstant("last_refused_at"),
            sourceVersion: try row.optionalInstant("source_version"))
    }
}

extension Receipt {
    fileprivate init?(_ row: PostgresRow) throws(PostgresError) {
        guard let id = try row.optionalInt64("receipt_id"), let data = try row.optionalString("receipt") else {
            return nil
        }
        self.init(id: id, data: Secret(data))
    }
}

extension RowSetAside {
    init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            transactionID: try row.string("transaction_id"), reason: try row.string("reason"),
            detail: try row.string("detail"), nights: try row.int("attempts"), since: try row.instant("created_at"),
            lastLookAt: try row.instant("last_look_at"))
    }
}

extension KnownPeriod {
    init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            try PeriodFacts(row), ownership: try row.word("ownership", as: Ownership.self),
            kind: try row.word("kind", as: TransactionKind.self),
            isTrialConversion: try row.bool("is_trial_conversion"),
            refund: RefundFacts(
                at: try row.optionalInstant("refunded_at"),
                kind: try row.optionalWord("refund_kind", as: RefundKind.self),
                micros: try row.optionalInt64("refund_micros"), parts: try RefundPart.parts(row)),
            sourceVersion: try row.optionalInstant("source_version"))
    }
}

extension PeriodFacts {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            transactionID: try row.string("transaction_id"),
            periodKey: try row.string("period_key"),
            productID: try row.string("product_id"),
            basePlanID: try row.optionalString("base_plan_id"),
            purchasedAt: try row.instant("purchased_at"),
            start: try row.instant("period_start"),
            end: try row.optionalInstant("period_end"),
            offerType: try row.optionalWord("offer_type", as: OfferType.self),
            offerID: try row.optionalString("offer_id"),
            country: try row.optionalString("country"),
            seats: try row.optionalInt64("seats"),
            isUpgraded: try row.bool("is_upgraded"),
            priceMicros: try row.optionalInt64("price_micros"),
            currency: try row.optionalString("currency"),
            proceedsMicros: try row.optionalInt64("proceeds_micros"),
            extendedUntil: try row.optionalInstant("extended_until"))
    }
}

extension RefundReports {
    /// The columns `refund_notified_at` and `refund_reports`.
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        let unnamed = try row.optionalInstant("refund_notified_at")
        guard let json = try row.optionalString("refund_reports") else {
            self.init(unnamed: unnamed)
            return
        }
        guard let reports = try? JSONDecoder().decode([String: Int64].self, from: Data(json.utf8)) else {
            throw PostgresError(.decoding, "column refund_reports is not what this version writes")
        }
        self.init(unnamed: unnamed, byTransaction: reports.mapValues(Instant.init(micros:)))
    }
}

extension RefundPart {
    /// The column `refund_parts`, as Load wrote it; empty where the store listed no parts.
    fileprivate static func parts(_ row: PostgresRow) throws(PostgresError) -> [RefundPart] {
        guard let json = try row.optionalString("refund_parts") else { return [] }
        guard let members = try? JSONDecoder().decode([Member].self, from: Data(json.utf8)) else {
            throw PostgresError(.decoding, "column refund_parts is not what this version writes")
        }
        return members.compactMap { member in
            Instant(iso8601: member.at).map {
                RefundPart(
                    at: $0, micros: member.micros, taxMicros: member.tax, isMoneyOnly: member.isMoneyOnly ?? false)
            }
        }
    }

    private struct Member: Decodable {
        let at: String
        let micros: Int64
        let tax: Int64?
        let isMoneyOnly: Bool?

        private enum CodingKeys: String, CodingKey {
            case at, micros, tax
            case isMoneyOnly = "money_only"
        }
    }
}
