// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// The timeline of one subscription: the periods we hold and the periods an answer shows, each once, in their order.
struct Timeline {
    /// Sorted by purchase, start and transaction id.
    let periods: [TimelinePeriod]
    /// Known periods that came back under another transaction id.
    let aliases: [(alias: String, transactionID: String)]
    /// The newest period that nothing superseded: the one the subscription is now based on.
    let newest: TimelinePeriod?
    /// The other rows of that period, the first one first: seats that were added to it are rows of their own, and so are the items that
    /// each was sold with.
    let besideNewest: [TimelinePeriod]
    /// The later end that the running period was given, in whichever of its rows: seats added to it are rows of their own.
    let extendedUntil: Instant?

    init(known: [KnownPeriod], observed: [ObservedPeriod]) {
        var union = PeriodUnion(known)
        for image in observed.sorted(by: Self.isFirst) { union.merge(image) }
        let periods = union.periods.sorted(by: TimelinePeriod.isEarlier)
        let newest = periods.lastIndex { !$0.isUpgraded }.map { periods[$0] } ?? periods.last
        self.periods = periods
        self.aliases = union.aliases.sorted { $0.alias < $1.alias }
        self.newest = newest
        self.besideNewest = newest.map { Self.rows(beside: $0, in: periods) } ?? []
        self.extendedUntil = newest.flatMap { newest in
            periods.lazy.filter { $0.soldUntil == newest.soldUntil }.compactMap(\.extendedUntil).max()
        }
    }

    /// The row that the newest period began with.
    var began: TimelinePeriod? { besideNewest.first ?? newest }

    /// Each of the several rows of the newest period was taken back.
    var isTakenBackWhole: Bool {
        guard let newest, !besideNewest.isEmpty else { return false }
        return (besideNewest + [newest]).allSatisfy { $0.cutAt != nil }
    }

    /// The other rows of its period, with all of their items and those of its own; none where it is the only sale of the period.
    private static func rows(beside newest: TimelinePeriod, in periods: [TimelinePeriod]) -> [TimelinePeriod] {
        guard newest.seats != nil else { return [] }
        let items = periods.filter { $0.transactionID == newest.transactionID }
        let beside = periods.filter { row in items.contains { row.isBeside($0) } }
        guard !beside.isEmpty else { return [] }
        let sales = Set(beside.map(\.transactionID)).union([newest.transactionID])
        return periods.filter { row in
            sales.contains(row.transactionID)
                && (row.transactionID != newest.transactionID || row.productID != newest.productID)
        }
    }

    /// Every period with its place.
    ///
    /// An order of several items (add-ons) is a timeline per item, and so is a purchase that holds several, where one
    /// was bought to another that was running.
    ///
    /// `earlier`: the periods of the purchases that this timeline continues, as far as they are known.
    /// `holdsSeveralItems`: nil where the answer does not say, as one of orders alone does not.
    func placed(
        _ memory: TransactionClassifier.Memory, after earlier: [TimelinePeriod] = [], hasSeveralItems: Bool? = nil
    ) -> [(TimelinePeriod, TransactionClassifier.Place)] {
        let besides = hasSeveralItems == nil ? earlier : []
        guard hasSeveralItems == true || hasOrdersOfSeveralItems || hasItemsBought(besides: besides) else {
            return Self.placed(periods, memory, after: earlier)
        }
        return items(memory).flatMap { item in
            let products = Set(item.map(\.productID))
            return Self.placed(item, memory, after: earlier.filter { products.contains($0.productID) })
        }
    }

    /// The periods of each item: those of its product, and those of another one that took its place when it was over.
    private func items(_ memory: TransactionClassifier.Memory) -> [[TimelinePeriod]] {
        var items: [[TimelinePeriod]] = []
        for period in periods {
            let sameProduct = items.firstIndex { $0.last?.productID == period.productID }
            let replaced = items.indices.filter { index in
                guard let last = items[index].last, last.transactionID != period.transactionID else { return false }
                let end = last.effectiveEnd(before: period, refundsEndPeriods: memory.refundsEndPeriods)
                return end - period.start <= Rules.continuousGap
            }
            if let index = sameProduct ?? replaced.last {
                items[index].append(period)
            } else {
                items.append([period])
            }
        }
        return items
    }

    private static func placed(
        _ periods: [TimelinePeriod], _ memory: TransactionClassifier.Memory, after earlier: [TimelinePeriod]
    ) -> [(TimelinePeriod, TransactionClassifier.Place)] {
        let lastKnown = periods.lastIndex { $0.known != nil }
        var classifier = TransactionClassifier(memory: memory)
        for period in earlier { _ = classifier.place(period, isFirstSeen: false) }
        return periods.enumerated().map { index, period in
            (period, classifier.place(period, isFirstSeen: lastKnown.map { index == $0 + 1 } ?? false))
        }
    }

    private var hasOrdersOfSeveralItems: Bool { Set(periods.map(\.transactionID)).count < periods.count }

    /// A second product was booked as bought while the first one ran on, of this purchase or of one that it continues: they are
    /// items of one purchase, also in an answer that shows its orders alone.
    private func hasItemsBought(besides earlier: [TimelinePeriod]) -> Bool {
        let bought = periods.filter { $0.known?.kind == .purchase && $0.isPaid && !$0.isUpgraded }
        guard !bought.isEmpty else { return false }
        let paid = (earlier + periods).filter { $0.isPaid && !$0.isUpgraded }
        return bought.contains { second in
            paid.contains { first in
                first.productID != second.productID && first.start < second.start
                    && (first.end ?? first.start) - second.start > Rules.continuousGap
            }
        }
    }

    /// Of two ids of one period the earlier and smaller is the first.
    private static func isFirst(_ left: ObservedPeriod, _ right: ObservedPeriod) -> Bool {
        if left.purchasedAt != right.purchasedAt { return left.purchasedAt < right.purchasedAt }
        if left.transactionID.utf8.count != right.transactionID.utf8.count {
            return left.transactionID.utf8.count < right.transactionID.utf8.count
        }
        return (left.transactionID, left.productID) < (right.transactionID, right.productID)
    }
}

/// Unites periods by their transaction, and by their period where the transaction id is new.
private struct PeriodUnion {
    private struct Identity: Hashable {
        let id: String
        let productID: String
    }

    private(set) var periods: [TimelinePeriod]
    private(set) var aliases: [(alias: String, transactionID: String)] = []
    private var byTransaction: [Identity: Int] = [:]
    private var byPeriod: [Identity: Int] = [:]

    init(_ known: [KnownPeriod]) {
        self.periods = known.map { TimelinePeriod($0) }
        for index in periods.indices { remember(index) }
    }

    mutating func merge(_ image: ObservedPeriod) {
        let transaction = Identity(id: image.transactionID, productID: image.productID)
        if let index = byTransaction[transaction] {
            periods[index] = periods[index].merging(image.isAdditional ? image.keyed(periods[index].periodKey) : image)
        } else if image.isAdditional {
            mergeAdditional(image)
        } else {
            mergeByPeriod(image)
        }
    }

    /// Under a transaction id that is new to the timeline: a period we have, or another one.
    private mutating func mergeByPeriod(_ image: ObservedPeriod) {
        if !image.periodKey.isEmpty, let index = byPeriod[Identity(id: image.periodKey, productID: image.productID)] {
            aliases.append((image.transactionID, periods[index].transactionID))
            periods[index] = periods[index].merging(image)
            byTransaction[Identity(id: image.transactionID, productID: image.productID)] = index
        } else {
            periods.append(TimelinePeriod(image))
            remember(periods.count - 1)
        }
    }

    /// One of several transactions of a period.
    ///
    /// Whether the store gives each a period key of its own is not documented: where it does not, the first one keeps
    /// it, and the others are distinguished by when they were bought.
    private mutating func mergeAdditional(_ image: ObservedPeriod) {
        let first = byPeriod[Identity(id: image.periodKey, productID: image.productID)]
        guard let first, periods[first].purchasedAt != image.purchasedAt else { return mergeByPeriod(image) }
        mergeByPeriod(image.keyed("\(image.periodKey)@\(image.purchasedAt.milliseconds)"))
    }

    private mutating func remember(_ index: Int) {
        let period = periods[index]
        byTransaction[Identity(id: period.transactionID, productID: period.productID)] = index
        guard !period.periodKey.isEmpty else { return }
        byPeriod[Identity(id: period.periodKey, productID: period.productID)] = index
    }
}

extension ObservedPeriod {
    fileprivate func keyed(_ periodKey: String) -> ObservedPeriod {
        var period = self
        period.facts.periodKey = periodKey
        return period
    }
}
