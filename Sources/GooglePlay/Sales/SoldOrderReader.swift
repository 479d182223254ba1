// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// Reads the order of a one-time sale that is looked at for refunds: nothing else was asked.
struct SoldOrderReader {
    private let answer: StoreAnswer
    private let due: DueSubscription
    private let readAt: Instant

    init(_ answer: StoreAnswer, of due: DueSubscription, readAt: Instant) {
        (self.answer, self.due, self.readAt) = (answer, due, readAt)
    }

    /// Without observations where the store returned no order of that id.
    func read() -> Reading {
        var unknownValues = UnknownValueCounts()
        let archive = answer.documents.map(PlayArchive.document)
        let order = answer.documents.lazy.compactMap { $0.read() as Order? }.first {
            $0.id.text == due.storeKey.reveal()
        }
        guard let order else {
            if answer.documents.isEmpty { unknownValues.note("order unknown to the store") }
            return Reading(
                observations: [], archive: archive, setAside: answer.documents.isEmpty ? [] : [unreadable],
                unknownValues: unknownValues.counts)
        }
        let context = OrderContext(readAt: readAt, country: nil, isPrepaid: false, codeProducts: [])
        let rows = order.periods(context, unknownValues: &unknownValues)
        // An order alone does not say where the purchase was made: what we hold stays.
        let sales = rows.taken.filter { !$0.isAutoRenewable }.map { $0.retaining(due.known) }
        let observation = Observation(
            storeKey: due.storeKey, environment: due.environment ?? answer.environment, status: nil, periods: sales)
        return Reading(
            observations: sales.isEmpty ? [] : [observation], archive: archive,
            setAside: rows.refused.map { $0.row(of: due.storeKey, in: order) }, unknownValues: unknownValues.counts)
    }

    private var unreadable: RefusedRow {
        RefusedRow(
            storeKey: due.storeKey, reason: AnswerFault.malformedJSON.rawValue,
            detail: "Google Play returned the order, but not the JSON that it documents.",
            transactionID: due.storeKey.reveal())
    }
}

extension Order.LineRefusal {
    func row(of storeKey: Secret, in order: Order) -> RefusedRow {
        RefusedRow(
            storeKey: storeKey, reason: reason, detail: detail, transactionID: order.id.text)
    }
}
