// SPDX-License-Identifier: Apache-2.0

package import Model

extension ChunkRows {
    /// The rows of several inquiries as one chunk, each row once.
    package init(merging pieces: [ChunkRows]) {
        self.init()
        for piece in pieces { merge(piece) }
        deduplicate()
    }

    /// What the chunk did, for the run's figures.
    package var counts: [String: Int64] {
        var counts = ["checked": Int64(checked), "unread": Int64(unread)]
        // A word of the store's own about an id is an answer, whatever it says.
        let answeredFailures = failures.count(where: \.isAnswered) + failedLooks.count { $0.kind != .transient }
        counts["answered"] = Int64(checked + answeredFailures)
        counts["failed"] = Int64(
            failures.count(where: \.isNewFailure) + failedLooks.count { $0.kind == .transient })
        counts["discovered"] = Int64(discoveries.count)
        counts["set_aside"] = Int64(setAside.count)
        for (name, count) in unknownValues { counts["unknown_value.\(name)", default: 0] += count }
        for (name, count) in suspicion { counts["suspicion.\(name)", default: 0] += count }
        return counts
    }

    /// Subscriptions and one-time sales that were asked about and answered for.
    package var checked: Int { subscriptions.count + looks.values.count(where: \.wasAsked) }

    /// Those that were asked about without an answer.
    package var unread: Int { failures.count + failedLooks.count }

    /// Leaves each row once, in a fixed order: answers of one chunk may show the same subscription, and the chunk's rows
    /// shall not depend on which answer came first.
    package mutating func deduplicate() {
        transactions = Self.deduplicated(transactions)
        subscriptions = subscriptions.onePer(\.key) { $0.sourceVersion > $1.sourceVersion }
        discoveries = discoveries.onePer(\.key) { $0.discoveredBy < $1.discoveredBy }
        links = Array(Set(links)).sorted { ($0.key, $0.earlier) < ($1.key, $1.earlier) }
        substitutes = Array(Set(substitutes)).sorted { ($0.key, $0.earlier) < ($1.key, $1.earlier) }
        items = items.mapValues { $0.onePer(\.productID) { _, _ in false } }
        aliases = Array(Set(aliases)).sorted { ($0.key, $0.alias) < ($1.key, $1.alias) }
        receipts = receipts.onePer(\.id) { _, _ in false }
        placeholders = Set(placeholders).sorted()
        failedLooks = failedLooks.onePer(\.key) { _, _ in false }
    }

    private static func deduplicated(_ rows: [CanonicalTransaction]) -> [CanonicalTransaction] {
        var merged = rows.onePer(Identity.init) { left, right in
            left.isSeenIndirectly != right.isSeenIndirectly
                ? right.isSeenIndirectly : left.sourceVersion > right.sourceVersion
        }
        let newest = rows.filter(\.statesUpgrade).onePer(Identity.init) { $0.sourceVersion > $1.sourceVersion }
        let upgrades = Dictionary(uniqueKeysWithValues: newest.map { (Identity($0), $0.isUpgraded) })
        for index in merged.indices where !merged[index].statesUpgrade {
            guard let isUpgraded = upgrades[Identity(merged[index])] else { continue }
            (merged[index].facts.isUpgraded, merged[index].sale.statesUpgrade) = (isUpgraded, true)
        }
        let placed = Set(merged.lazy.filter { !$0.isSeenIndirectly }.map(PeriodIdentity.init))
        return merged.filter { !$0.isSeenIndirectly || !placed.contains(PeriodIdentity($0)) }.sorted(by: Self.isEarlier)
    }

    private static func isEarlier(_ left: CanonicalTransaction, _ right: CanonicalTransaction) -> Bool {
        if left.key != right.key { return left.key < right.key }
        if left.purchasedAt != right.purchasedAt { return left.purchasedAt < right.purchasedAt }
        return (left.transactionID, left.productID) < (right.transactionID, right.productID)
    }

    private struct Identity: Hashable {
        let key: SubscriptionKey
        let transactionID: String
        let productID: String

        init(_ row: CanonicalTransaction) {
            self.key = row.key
            self.transactionID = row.transactionID
            self.productID = row.productID
        }
    }

    private struct PeriodIdentity: Hashable {
        let key: SubscriptionKey
        let periodKey: String
        let productID: String

        init(_ row: CanonicalTransaction) {
            self.key = row.key
            self.periodKey = row.periodKey
            self.productID = row.productID
        }
    }
}

extension FailedCheck {
    /// What is out of reach, or unreadable since more than three nights, has its dead letter.
    fileprivate var isNewFailure: Bool {
        kind != .gone && !wasUnreachable && !(kind == .unreadable && failures > NextCheck.nightsUntilSetAside)
    }
}

extension Array {
    /// One element per identity, in the order of their first appearance: the one that is preferred to the others.
    fileprivate func onePer<ID: Hashable>(_ id: (Element) -> ID, preferred: (Element, Element) -> Bool) -> [Element] {
        var places: [ID: Int] = [:]
        var merged: [Element] = []
        merged.reserveCapacity(count)
        for element in self {
            if let place = places[id(element)] {
                if preferred(element, merged[place]) { merged[place] = element }
            } else {
                places[id(element)] = merged.count
                merged.append(element)
            }
        }
        return merged
    }
}
