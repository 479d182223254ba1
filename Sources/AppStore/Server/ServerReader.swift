// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// Reads one answer of the App Store Server API: what it says of the subscription that was asked about, and the rows of
/// the customer's others.
///
/// A row that cannot be believed or read is set aside and its neighbours are taken. Where it is the very row that the
/// asked subscription's status is based on, the status has no state: the last one is retained and asked about again.
struct ServerReader {
    let answer: StoreAnswer
    let configuration: AppStoreConfiguration
    let rows: RowVerifier

    private var entries: [StatusEntry] = []
    private var transactions = SignedTransactions()
    private var refused: [RefusedRow] = []
    private var unknownValues = UnknownValueCounts()
    private var archive: [ArchivedDocument] = []
    private var cursor: String?
    /// The refund watch asked what has changed and for nothing else: that nothing has is an answer.
    private let looksForChangesOnly: Bool

    init(answer: StoreAnswer, configuration: AppStoreConfiguration, rows: RowVerifier) {
        self.answer = answer
        self.looksForChangesOnly =
            answer.inquiry.subscriptions.first?.wantsOnlyRefunds == true && !answer.documents.isEmpty
            && answer.documents.allSatisfy { AppStoreServer.DocumentName.ofChanges.contains($0.endpoint) }
        self.configuration = configuration
        self.rows = rows
    }

    mutating func read() throws(UnreadableAnswer) -> Reading {
        guard let due = answer.inquiry.subscriptions.first else {
            throw UnreadableAnswer(reason: "empty_inquiry", message: "The answer belongs to no inquiry.")
        }
        cursor = due.environment == answer.environment ? due.historyCursor : nil
        for document in answer.documents { try take(document) }
        let asked = due.storeKey.reveal()
        try checkIsAbout(asked)
        return Reading(
            observations: observations(asked: asked), archive: archive, setAside: refused,
            unknownValues: unknownValues.counts, documentHashes: transactions.documentHashes(in: archive))
    }

    private mutating func take(_ document: StoreAnswer.Document) throws(UnreadableAnswer) {
        var archived = ArchiveWriter(document)
        switch document.endpoint {
        case AppStoreServer.DocumentName.history:
            let page = try takePage(document, &archived)
            cursor = HistoryCursor(after: page.position)?.stored
        case AppStoreServer.DocumentName.refunds:
            _ = try takePage(document, &archived)
        case AppStoreServer.DocumentName.transaction, AppStoreServer.DocumentName.notification:
            let info: TransactionInfoResponse = try Self.read(document)
            unknownValues.note(fields: info.unknownFields, of: "transaction_info")
            takeTransaction(info.signedTransaction, storeKey: nil, &archived)
        default:
            let statuses: StatusResponse = try Self.read(document)
            try statuses.origin.check(against: configuration, environment: answer.environment)
            unknownValues.note(fields: statuses.unknownFields, of: "statuses")
            for entry in statuses.lastTransactions { take(entry, &archived) }
        }
        archive.append(archived.document())
    }

    private mutating func takePage(
        _ document: StoreAnswer.Document, _ archived: inout ArchiveWriter
    ) throws(UnreadableAnswer) -> HistoryResponse {
        let page: HistoryResponse = try Self.read(document)
        try page.origin.check(against: configuration, environment: answer.environment)
        unknownValues.note(fields: page.unknownFields, of: document.endpoint)
        for compact in page.signedTransactions { takeTransaction(compact, storeKey: nil, &archived) }
        return page
    }

    private mutating func take(_ entry: StatusResponse.LastTransaction?, _ archived: inout ArchiveWriter) {
        guard let entry else { return refused.append(RowRefusal.unreadableElement.row(of: nil)) }
        let id = entry.originalTransactionID
        let transaction = takeTransaction(entry.signedTransaction, storeKey: id, &archived)
        entries.append(
            StatusEntry(
                status: entry.status, originalTransactionID: id,
                transaction: transaction?.originalTransactionID == id ? transaction : nil,
                renewal: takeRenewal(entry.signedRenewal, of: id, &archived)))
    }

    @discardableResult
    private mutating func takeTransaction(
        _ compact: String?, storeKey: String?, _ archived: inout ArchiveWriter
    ) -> TransactionPayload? {
        guard let compact else {
            refused.append(RowRefusal.unreadableElement.row(of: storeKey))
            return nil
        }
        switch rows.transaction(compact) {
        case .success(let row):
            archived.note(compact, row)
            transactions.append(row.payload, document: archive.count)
            return row.payload
        case .failure(let refusal):
            refused.append(refusal.row(of: storeKey))
            return nil
        }
    }

    private mutating func takeRenewal(
        _ compact: String?, of storeKey: String?, _ archived: inout ArchiveWriter
    ) -> RenewalPayload? {
        guard let compact else { return nil }
        switch rows.renewal(compact, of: storeKey) {
        case .success(let row):
            archived.note(compact, row)
            unknownValues.note(fields: row.payload.unknownFields, of: "renewal")
            return row.payload
        case .failure(let refusal):
            refused.append(refusal.renewal(of: storeKey))
            return nil
        }
    }

    private static func read<Body: JSONReadable>(
        _ document: StoreAnswer.Document
    ) throws(UnreadableAnswer) -> Body {
        guard let body: Body = document.read() else {
            throw UnreadableAnswer(
                .malformedJSON,
                message: "The App Store's answer (\(document.endpoint)) is not the JSON it documents.")
        }
        return body
    }
}

extension ServerReader {
    /// An answer must speak of what was asked; the store's own word binds them, in the status or in a signed row.
    private func checkIsAbout(_ asked: String) throws(UnreadableAnswer) {
        if looksForChangesOnly, refused.isEmpty { return }
        let isAbout =
            entries.contains { $0.originalTransactionID == asked }
            || transactions.all.contains { $0.originalTransactionID == asked || $0.transactionID == asked }
        if isAbout, !transactions.all.isEmpty { return }
        if let first = refused.first, transactions.all.isEmpty {
            throw UnreadableAnswer(
                reason: first.reason, message: "No row of the answer could be taken. \(first.detail)")
        }
        throw UnreadableAnswer(
            .notAboutRequest,
            message: "The App Store's answer does not speak of the subscription asked about.")
    }

    /// The asked subscription first, then the others by id.
    private mutating func observations(asked: String) -> [Observation] {
        let rows = transactions.newest
        let observed = rows.flatMap { periods(of: $0) }.map(extended)
        let bySubscription = Dictionary(grouping: observed, by: \.originalTransactionID)
        let others = bySubscription.keys.filter { $0 != asked }.sorted()
        let what = AskedID(asked, in: observed, hasStatus: entries.contains { $0.originalTransactionID == asked })
        return ([asked] + others).map { id in
            Observation(
                storeKey: Secret(id), environment: answer.environment,
                status: id == asked ? status(of: id, what, observed) : nil,
                periods: (bySubscription[id] ?? []).sorted {
                    ($0.start, $0.transactionID) < ($1.start, $1.transactionID)
                },
                historyCursor: id == asked && !what.isLater ? cursor : nil,
                hasMoreHistory: id == asked && HistoryCursor(stored: cursor)?.isUnfinished == true,
                linkedTo: id == asked ? earlier(than: id, what, rows) : earlier(than: id, in: rows),
                items: id == asked ? items(of: id) : nil, isSubstitute: id == asked && what.isLater)
        }
    }

    private mutating func periods(of transaction: TransactionPayload) -> [ObservedPeriod] {
        let known = answer.inquiry.subscriptions.first?.known ?? []
        do throws(RowRefusal) {
            return try transaction.periods(
                known: known.filter { $0.transactionID == transaction.transactionID },
                answeredAt: answer.answeredAt, unknownValues: &unknownValues)
        } catch {
            refused.append(error.of(transaction.transactionID).row(of: transaction.originalTransactionID))
            return []
        }
    }

    /// A row of the period that a status says was extended.
    private func extended(_ period: ObservedPeriod) -> ObservedPeriod {
        let entry = entries.first { entry in
            entry.originalTransactionID == period.originalTransactionID
                && Instant(storeMilliseconds: entry.transaction?.expiresDate) == period.end
        }
        var extended = period
        extended.facts.extendedUntil = entry?.extendedUntil
        return extended
    }

    /// The subscription that this one took the place of, on the way into a bundle or out of it.
    private func earlier(than id: String, in rows: [TransactionPayload]) -> Secret? {
        let linked = rows.filter { $0.originalTransactionID == id && $0.previousOriginalTransactionID != nil }
        let newest = linked.max { ($0.purchaseDate ?? 0) < ($1.purchaseDate ?? 0) }
        return newest?.previousOriginalTransactionID.flatMap { $0 == id ? nil : Secret($0) }
    }

    private func earlier(than asked: String, _ what: AskedID, _ rows: [TransactionPayload]) -> Secret? {
        if case .later(let original) = what { return original.map(Secret.init) }
        return earlier(than: asked, in: rows)
    }

    /// The statuses may list several transactions of a period, in any order: one that runs counts before one that is over, then the
    /// newest.
    private func entry(of id: String) -> StatusEntry? {
        entries.filter { $0.originalTransactionID == id }.max { $0.rank < $1.rank }
    }

    private func items(of asked: String) -> [SubscriptionItem]? {
        looksForChangesOnly ? nil : entry(of: asked)?.items
    }

    /// A sale has no status.
    ///
    /// The id of a later transaction counts as replaced by the subscription that it belongs to.
    private mutating func status(of asked: String, _ what: AskedID, _ observed: [ObservedPeriod]) -> ObservedStatus? {
        switch what {
        case .subscription: return status(of: asked)
        case .sale: return nil
        case .later:
            let version = observed.map(\.sourceVersion).max() ?? answer.answeredAt ?? .distantPast
            return ObservedStatus(state: .expired, endReason: .replaced, sourceVersion: version)
        }
    }

    private mutating func status(of asked: String) -> ObservedStatus {
        if looksForChangesOnly, let due = answer.inquiry.subscriptions.first {
            return ObservedStatus(retaining: due.snapshot, readAt: answer.answeredAt ?? .distantPast)
        }
        guard let entry = entry(of: asked) else {
            unknownValues.note("status absent")
            return ObservedStatus(state: nil, sourceVersion: answer.answeredAt ?? .distantPast)
        }
        return entry.observed(answeredAt: answer.answeredAt, unknownValues: &unknownValues)
    }
}
