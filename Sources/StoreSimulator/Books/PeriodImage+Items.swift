// SPDX-License-Identifier: Apache-2.0

// What was sold by items is booked by items: a row each, under the owner's own name, with its own price and refunds.

extension PeriodImage {
    /// The rows of one transaction: its own where it was not sold by items.
    func divided(into items: [Commerce.Item]) -> [PeriodImage] {
        guard !items.isEmpty else { return [self] }
        return items.enumerated().map { place, item in
            var image = self
            image.tell(item)
            image.isBeside = place > 0
            image.wholeMicros = booked.priceMicros
            return image
        }
    }

    private mutating func tell(_ item: Commerce.Item) {
        let price = item.priceMilliunits.map { $0 * 1_000 }
        (booked.productID, booked.priceMicros) = (item.sku, price)
        (booked.refundedAt, booked.refundKind, booked.refundMicros) = (nil, nil, nil)
        revocation = item.takenBackAt.map { Revocation(at: $0, reason: .refund) }
        isRefundDerived = false
        let sums = price == nil ? [] : item.givenBack
        givenBack = sums.compactMap { sum in sum.milliunits.map { .init(at: sum.at, $0 * 1_000) } }
        // The newest of several sums dates the row; the money of each is of its own day.
        guard let at = givenBack.last?.at ?? item.takenBackAt else { return }
        let sum = givenBack.map(\.value).reduce(0, +)
        booked.refundedAt = at
        booked.refundKind = price.map { sum < $0 } ?? false ? .partial : .full
        booked.refundMicros = price.map { _ in sum }
    }
}

extension SubscriptionLife {
    /// The items held of a period, by name; none where it is of a single product.
    func bookedItems(of standing: Standing, at now: Int64) -> [BookedSubscription.Item] {
        let period = periods[standing.periodIndex]
        let held = period.itemsHeld(at: now)
        guard held.count > 1 else { return [] }
        return held.map { item in
            BookedSubscription.Item(
                productID: item.sku, expiresAt: period.expiresAt, autoRenew: standing.autoRenew,
                latestTransactionID: period.transactionID(at: now))
        }
    }
}
