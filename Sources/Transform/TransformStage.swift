// SPDX-License-Identifier: Apache-2.0

package import Model
package import Stores

/// Turns what a store answered into rows, or into a reason why there are none.
///
/// Pure: no clock, no I/O; the same answer and the same memory give the same rows, in whatever order the store listed
/// them.
package struct TransformStage: Sendable {
    let appID: AppID
    let kind: StoreKind
    /// The run's logical now.
    let now: Instant
    /// ISO 3166-1 alpha-2, assumed where neither the store nor the registration names a country.
    let defaultCountry: String?
    /// The charges that are looked at again, in days after the charge.
    let refundWatchDays: [Int64]
    /// Those of the store itself: one-time sales stay on their list while its notifications report every refund.
    let saleWatchDays: [Int64]
    /// By whose days a night is no other than the one before.
    let timeZone: ReportTimeZone
    /// Level of service by product and base plan, 1 the highest, as far as a product list was imported.
    let levels: ProductLevels

    /// `store`: whose answers these are; it is not kept.
    ///
    /// `refundWatchDays`: as the store has them, if nil. `timeZone`: of the business dates.
    package init(
        store: any Store, now: Instant, defaultCountry: String?, refundWatchDays: [Int64]? = nil,
        levels: ProductLevels = [:], timeZone: ReportTimeZone = .utc
    ) {
        self.appID = store.appID
        self.kind = store.kind
        self.now = now
        self.defaultCountry = defaultCountry
        self.refundWatchDays = refundWatchDays ?? store.refundWatchDays
        self.saleWatchDays = store.refundWatchDays
        self.levels = levels
        self.timeZone = timeZone
    }

    /// Adds what the answer says.
    ///
    /// Call `ChunkRows.deduplicate()` once when a chunk's answers are all in.
    package func rows(for read: ReadAnswer, into rows: inout ChunkRows) {
        let inquiry = read.answer.inquiry
        guard let asker = inquiry.subscriptions.first else { return }
        switch read.reading {
        case .success(let reading):
            take(reading, AnswerContext(inquiry: inquiry, asker: asker, reading: reading), into: &rows)
        case .failure(let error):
            setAside(inquiry, stage: "transform", reason: error.reason, error.message, into: &rows)
        }
    }

    private func take(_ reading: Reading, _ context: AnswerContext, into rows: inout ChunkRows) {
        rows.unknownValues.merge(reading.unknownValues, uniquingKeysWith: +)
        let asideBefore = rows.setAside.count
        for refused in reading.setAside where !context.isPlaceholder(refused.storeKey) {
            rows.setAside.append(setAside(refused, context))
        }
        if let receipt = reading.replacedReceipt { rows.receipts.append(receipt) }
        let bookedBefore = rows.transactions.count
        let subjects = subjects(of: reading, context, into: &rows)
        attributeSetAside(&rows.setAside[asideBefore...], to: subjects, context)
        let setAside = rowsSetAside(
            of: subjects, from: asideBefore, sales: bookedBefore..<rows.transactions.count, into: &rows)
        let timelines = Timelines(subjects)
        for subject in subjects {
            book(subject, in: timelines, setAside: setAside[subject.key] ?? [], context, into: &rows)
        }
        archive(reading, under: subjects, context, into: &rows)
        let reportsPurchases = !subjects.isEmpty || rows.transactions.count > bookedBefore
        settleAskers(
            context, observed: Set(subjects.map(\.key)), soldOnce: reading.soldOnce, reportsPurchases: reportsPurchases,
            into: &rows)
    }

    private func book(
        _ subject: ObservedSubscription, in timelines: Timelines, setAside: [RowSetAside],
        _ context: AnswerContext, into rows: inout ChunkRows
    ) {
        let timeline = timelines.timeline(of: subject)
        let earlier = timelines.earlier(than: subject)
        bookPeriods(of: subject, timeline, after: earlier, context, into: &rows)
        if subject.due == nil { rows.discoveries.append(discovery(of: subject, timeline, context)) }
        link(subject, in: timelines, context, into: &rows)
        itemise(subject, timeline, into: &rows)
        let awaitedCheck = subject.due.flatMap { awaitOrders(subject.unsettled, of: $0, into: &rows) }
        guard let status = subject.observedStatus(now: now) else { return }
        let resolver = StateResolver(
            subject: subject, status: status, timeline: timeline, earlier: earlier, setAside: setAside, store: kind,
            now: now)
        rows.subscriptions.append(
            resolver.row(
                refundWatchDays: refundWatchDays, awaited: awaitedCheck, answerHash: context.answerHash))
    }

    /// Items run as long as the period that they were sold in, extended or not.
    private func itemise(_ subject: ObservedSubscription, _ timeline: Timeline, into rows: inout ChunkRows) {
        guard let items = subject.items, subject.due != nil else { return }
        rows.items[subject.key, default: []] += items.map { $0.extended(to: timeline.extendedUntil) }
    }

    private func discovery(of subject: ObservedSubscription, _ timeline: Timeline, _ context: AnswerContext)
        -> DiscoveredSubscription
    {
        DiscoveredSubscription(
            key: subject.key, appID: appID, store: kind, environment: subject.environment,
            storeKey: subject.storeKey, productID: subject.status?.productID ?? timeline.newest?.productID,
            discoveredBy: context.asker.key, receiptID: context.receiptID)
    }

    /// The purchase that this one continues is a fact worth a row while we do not know it, and its subscription is one to
    /// ask about, even where the answer showed nothing of it.
    private func link(
        _ subject: ObservedSubscription, in timelines: Timelines, _ context: AnswerContext, into rows: inout ChunkRows
    ) {
        guard let earlier = subject.linkedTo, subject.due.map({ $0.lineageKey == $0.key }) ?? true else { return }
        let key = context.key(of: earlier, in: appID)
        guard key != subject.key else { return }
        rows.links.append(LineageLink(key: subject.key, earlier: key))
        if subject.isSubstitute { rows.substitutes.append(LineageLink(key: subject.key, earlier: key)) }
        guard !timelines.isObserved(earlier) else { return }
        rows.discoveries.append(
            DiscoveredSubscription(
                key: key, appID: appID, store: kind, environment: subject.environment, storeKey: earlier,
                productID: nil, discoveredBy: context.asker.key, receiptID: nil))
    }

    private func archive(
        _ reading: Reading, under subjects: [ObservedSubscription], _ context: AnswerContext, into rows: inout ChunkRows
    ) {
        // A placeholder is about to go: what a bare receipt said is stored with the first subscription in it.
        let home = context.asker.isPlaceholder ? subjects.map(\.key).min() : nil
        guard !reading.archive.isEmpty else { return }
        rows.answers[home ?? context.asker.key, default: []] += reading.archive
    }

    private func setAside(_ refused: RefusedRow, _ context: AnswerContext) -> SetAside {
        SetAside(
            key: refused.storeKey.map { context.key(of: $0, in: appID) } ?? context.asker.key,
            stage: "transform", reason: refused.reason, detail: refused.detail, transactionID: refused.transactionID)
    }
}
