// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// Reads the documents of one answer: a purchase, the older ones it continues, and their orders.
///
/// An order that cannot be read is set aside and its neighbours are taken.
struct AnswerReader {
    /// A purchase of the answer with its rows.
    private struct Member {
        let token: Secret
        /// Nil where only its orders were looked at.
        let purchase: Purchase?
        var periods: [ObservedPeriod] = []
    }

    private let answer: StoreAnswer
    private let interface: any PlayInterface
    /// The one that older purchases were asked through.
    private let linkInterface: any PlayInterface
    private let readAt: Instant
    private let archive: [ArchivedDocument]
    private var members: [Member] = []
    private var refused: [RefusedRow] = []
    private var unknownValues = UnknownValueCounts()
    private var seenOrders: Set<String> = []
    /// Those of which there is nothing to wait for.
    private var finalOrders: Set<String> = []
    private var documentHashes: [String: String] = [:]

    init(
        _ answer: StoreAnswer, interface: any PlayInterface, linkInterface: any PlayInterface, readAt: Instant
    ) {
        self.answer = answer
        self.interface = interface
        self.linkInterface = linkInterface
        self.readAt = readAt
        archive = answer.documents.map(PlayArchive.document)
    }

    mutating func read() throws(UnreadableAnswer) -> Reading {
        guard let due = answer.inquiry.subscriptions.first else {
            throw UnreadableAnswer(reason: "empty_inquiry", message: "The answer belongs to no inquiry.")
        }
        if let sale = answer.documents.first(where: { $0.endpoint == DocumentName.product }) {
            return try SaleReader(answer, sale, readAt: readAt).read()
        }
        try takePurchases(due)
        refuseLongOrders()
        takeOrders(due)
        takeOwnPeriod(due)
        noteUnknownOrders(due)
        markCutShort(due)
        return Reading(
            observations: members.indices.map { observation(of: members[$0], due: $0 == 0 ? due : nil) },
            archive: archive, setAside: refused, unknownValues: unknownValues.counts, documentHashes: documentHashes)
    }

    /// The asked one first, then each that its predecessor names.
    private mutating func takePurchases(_ due: DueSubscription) throws(UnreadableAnswer) {
        let own = answer.documents.first { $0.endpoint == DocumentName.subscription }
        var purchase: Purchase?
        if let own { purchase = try read(own, of: due) }
        members = [Member(token: due.storeKey, purchase: purchase)]
        for document in answer.documents where document.endpoint == DocumentName.linkedSubscription {
            guard let token = purchase?.linkedToken else { break }
            purchase = try read(document, of: nil)
            members.append(Member(token: token, purchase: purchase))
        }
    }

    private mutating func read(
        _ document: StoreAnswer.Document, of due: DueSubscription?
    ) throws(UnreadableAnswer) -> Purchase {
        try (due == nil ? linkInterface : interface)
            .purchase(document, of: due, readAt: readAt, unknownValues: &unknownValues)
    }

    private mutating func takeOrders(_ due: DueSubscription) {
        var orders: [(order: Order, answerHash: String)] = []
        for (document, archived) in zip(answer.documents, archive) where document.endpoint == DocumentName.order {
            if let order: Order = document.read() {
                orders.append((order, archived.answerHash))
            } else {
                refuse(
                    "malformed_row", "An order of the answer is not what the store documents.", of: due.storeKey,
                    order: nil
                )
            }
        }
        let all = orders.map(\.order)
        for (order, answerHash) in orders {
            documentHashes[order.id.text] = answerHash
            take(order, of: all, due)
        }
    }

    private mutating func take(_ order: Order, of orders: [Order], _ due: DueSubscription) {
        seenOrders.insert(order.id.text)
        if order.isFinal { finalOrders.insert(order.id.text) }
        guard let place = place(of: order) else {
            return refuse(
                "wrong_purchase", "An order of the answer belongs to another purchase.", of: due.storeKey,
                order: order.id)
        }
        let purchase = members[place].purchase
        let stored = due.known + due.knownEarlier
        let context = OrderContext(
            readAt: readAt, country: purchase?.country,
            isPrepaid: purchase?.isPrepaid ?? due.known.contains { $0.kind == .topUp },
            codeProducts: purchase?.codeProducts ?? [], itemEnds: purchase?.itemEnds ?? [:],
            latestOrders: purchase?.latestOrders ?? [], orders: orders, known: stored)
        let rows = order.periods(context, unknownValues: &unknownValues)
        members[place].periods += purchase == nil ? rows.taken.map { $0.retaining(stored) } : rows.taken
        for refusal in rows.refused {
            refused.append(refusal.row(of: members[place].token, in: order))
        }
    }

    /// Whose order it is, by the token in it, else by its base; nil where it names a token that was not asked about.
    ///
    /// An order of a purchase that one of these continues is no stranger, whether the store still returns that purchase
    /// or not: an item may name it while it is kept, or until another takes its place.
    private mutating func place(of order: Order) -> Int? {
        guard let token = order.purchaseToken else {
            return members.lastIndex { $0.purchase?.names(order.id) ?? false } ?? 0
        }
        if let place = members.firstIndex(where: { $0.token == token }) { return place }
        guard members.contains(where: { $0.purchase?.linkedToken == token }) else { return nil }
        members.append(Member(token: token, purchase: nil))
        return members.count - 1
    }

    private mutating func refuseLongOrders() {
        for member in members {
            for order in member.purchase?.longOrders ?? [] {
                guard let fault = KeyText.fault(in: ["orderId": order.text]) else { continue }
                refuse(KeyText.tooLong, fault, of: member.token, order: order)
            }
        }
    }

    private mutating func refuse(_ reason: String, _ detail: String, of token: Secret, order: OrderID?) {
        refused.append(
            RefusedRow(
                storeKey: token, reason: reason, detail: detail, transactionID: order?.text ?? SetAside.unidentified))
    }
}

extension AnswerReader {
    /// A test purchase has no orders that could be asked for: its latest period is read from the answer itself.
    private mutating func takeOwnPeriod(_ due: DueSubscription) {
        guard let purchase = members[0].purchase, let own = purchase.ownPeriod,
            !seenOrders.contains(own.transactionID), OrderPlan.orders(of: due, purchase).contains(own.transactionID)
        else { return }
        if let fault = KeyText.fault(in: ["productId": own.productID]) {
            return refuse(KeyText.tooLong, fault, of: due.storeKey, order: OrderID(own.transactionID))
        }
        members[0].periods.append(own)
    }

    /// Declined and lost orders leave gaps in the numbers: they are no rows, and counted.
    private mutating func noteUnknownOrders(_ due: DueSubscription) {
        let linked = members.dropFirst().compactMap(\.purchase).flatMap(OrderPlan.orders(ofLinked:))
        let asked = (OrderPlan.orders(of: due, members[0].purchase) + linked).uniqued()
        for id in asked where !seenOrders.contains(id) { unknownValues.note("order unknown to the store") }
    }

    /// The last period of a purchase that another one took the place of, where it was cut short; and what we knew to be.
    private mutating func markCutShort(_ due: DueSubscription) {
        let known = Set((due.known + due.knownEarlier).filter(\.isUpgraded).map(\.transactionID))
        for member in members.indices {
            let orders = orders(of: members[member], due: member == 0 ? due : nil)
            let (newest, purchase) = (orders.newestOrder, members[member].purchase)
            for index in members[member].periods.indices {
                let period = members[member].periods[index]
                let isCut =
                    purchase?.isReplaced == true && period.transactionID == newest
                    && (purchase?.expiresAt).map { expiry in period.end.map { expiry < $0 } ?? false } ?? false
                members[member].periods[index].facts.isUpgraded =
                    (isCut || known.contains(period.transactionID)) && !isCarriedOn(period, from: member, due)
                // Known for a linked purchase, and for the asked one while nothing replaced it; not from orders alone.
                members[member].periods[index].sale.statesUpgrade =
                    purchase.map { member > 0 || !$0.isReplaced } ?? false
            }
        }
    }

    /// A later purchase of the chain is or was based on it: it was not cut short, whatever became of its own purchase.
    private func isCarriedOn(_ period: ObservedPeriod, from member: Int, _ due: DueSubscription) -> Bool {
        let later = members[..<member]
        if later.contains(where: { $0.purchase?.names(OrderID(period.transactionID)) ?? false }) { return true }
        guard member > 0 else { return false }
        var successor = Successor(later.flatMap(\.periods))
        successor.take(due.known)
        return successor.wentOn(with: period)
    }

    /// A purchase without an order of its own is based on that of the one it continues, while its item names it.
    private func orders(of member: Member, due: DueSubscription?) -> PurchaseOrders {
        let known = due?.known ?? []
        guard let purchase = member.purchase, member.periods.isEmpty, known.isEmpty else {
            return PurchaseOrders(observed: member.periods, known: known, readAt: readAt)
        }
        return PurchaseOrders(
            observed: members.flatMap(\.periods).filter { purchase.names(OrderID($0.transactionID)) },
            known: (due?.knownEarlier ?? []).filter { purchase.names(OrderID($0.transactionID)) }, readAt: readAt)
    }

    /// The state of an older purchase waits for its own check.
    private func observation(of member: Member, due: DueSubscription?) -> Observation {
        let orders = orders(of: member, due: due)
        let status = due.map { due in
            member.purchase.map(orders.status(of:)) ?? orders.status(retaining: due.snapshot)
        }
        let environment = member.purchase?.environment ?? due?.environment ?? answer.environment
        let unsettled = due.map { due in
            OpenOrders(
                of: due, purchase: member.purchase, periods: member.periods, finalOrders: finalOrders
            ).unsettled(in: environment)
        }
        return Observation(
            storeKey: member.token, environment: environment, status: status,
            periods: member.periods.sorted {
                ($0.start, $0.transactionID, $0.productID) < ($1.start, $1.transactionID, $1.productID)
            },
            linkedTo: member.purchase?.linkedToken, items: due == nil ? nil : member.purchase?.items,
            unsettled: unsettled ?? [])
    }
}
