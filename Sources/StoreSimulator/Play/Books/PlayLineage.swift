// SPDX-License-Identifier: Apache-2.0

/// One line of linked purchases as far as it is known: its periods, and where it was said to stand in each.
struct PlayLineage: Sendable {
    var appID: String
    /// One an order, in their order: those that were paid for.
    var images: [PlayImage]
    /// Those that were not.
    var free: [PlayImage] = []
    /// By the newest settled order of the time, in their order.
    var standings: [String?: [PlayStanding]]
    /// Every charge and refund, add-ons included.
    var money: [MoneyLedger.Entry] = []

    /// The stretches of paid time, each with its outcome.
    func segments() -> [LineageStory.Segment] {
        var segments: [LineageStory.Segment] = []
        for (position, image) in images.enumerated() {
            let next = position + 1 < images.count ? images[position + 1] : nil
            let end = effectiveEnd(of: image, before: next)
            let productID = image.booked.productID
            let piece = PaidPeriod(image, declaredEnd: declaredEnd(of: image, before: next))
            if let last = segments.indices.last, piece.start - segments[last].end <= CivilTime.day {
                segments[last].pieces.append(piece)
                segments[last].end = max(segments[last].end, end)
                segments[last].productID = productID
            } else {
                segments.append(
                    LineageStory.Segment(pieces: [piece], end: end, productID: productID, outcome: .open))
            }
            segments[segments.count - 1].outcome = outcome(of: image, before: next)
        }
        return segments
    }

    /// The periods that cost nothing.
    func freePeriods() -> [FreePeriod] {
        let starts = (images + free).map(\.booked.periodStart).sorted()
        return free.map { image in
            FreePeriod(
                image.booked, subscription: image.token.token, declaredEnd: declaredEnd(of: image, before: nil),
                coveredUntil: effectiveEnd(of: image, before: nil),
                nextStart: starts.first { $0 > image.booked.periodStart })
        }
    }

    /// What was paid for, cut where another purchase took its place or access was taken away, or lengthened by a grace.
    /// A refund alone moves money only.
    private func effectiveEnd(of image: PlayImage, before next: PlayImage?) -> Int64 {
        let (declared, told) = (declaredEnd(of: image, before: next), standings[image.order.id] ?? [])
        if image.booked.isUpgraded || told.last?.revokedAt != nil { return declared }
        return max(declared, told.compactMap(\.graceEndsAt).max() ?? declared)
    }

    /// The same without a grace.
    private func declaredEnd(of image: PlayImage, before next: PlayImage?) -> Int64 {
        let end = image.booked.periodEnd
        let told = standings[image.order.id] ?? []
        if image.booked.isUpgraded {
            // A successor that nobody has seen yet, or that is paid in advance, began when the store said that this one
            // was over.
            return min(end, next?.booked.periodStart ?? end, told.last?.expiresAt ?? end)
        }
        if let revokedAt = told.last?.revokedAt { return min(end, revokedAt) }
        // The store moves the expiry: for hours, by a deferral, back to a revocation. The last one that was told counts.
        return told.last?.expiresAt ?? end
    }

    private func outcome(of image: PlayImage, before next: PlayImage?) -> LineageStory.Outcome {
        let told = standings[image.order.id] ?? []
        if let reason = told.last(where: { $0.endReason != nil })?.endReason {
            return reason == .replaced ? .moved : .churned(reason)
        }
        guard let next else {
            switch told.last?.state {
            case .billingRetry: return .lapsed
            case .paused: return .paused
            default: return .open
            }
        }
        if told.contains(where: { $0.state == .grace || $0.state == .billingRetry }) { return .lapsed }
        if told.contains(where: { $0.state == .paused }) { return .paused }
        return next.booked.kind == .renewal ? .lapsed : .churned(.unknown)
    }
}
