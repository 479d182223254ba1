// SPDX-License-Identifier: Apache-2.0

/// One line of linked purchases as far as it is known: its periods, and where it was said to stand in each.
struct PlayLineage: Sendable {
    /// One an order, in their order.
    var images: [PeriodImage]
    /// By the newest paid order of the time, in their order.
    var statuses: [String?: [DisclosedStatus]]

    /// Each with how it came out: of what was paid for, before the next one that was.
    var lined: [LinedPeriod] {
        let starts = images.map(\.booked.periodStart).sorted()
        return images.enumerated().map { place, image in
            let next = image.isPaid ? images[(place + 1)...].first(where: \.isPaid) : nil
            return LinedPeriod(
                image: image, declaredEnd: declaredEnd(of: image, before: next),
                coveredUntil: coveredUntil(of: image, before: next), outcome: outcome(of: image, before: next),
                nextStart: starts.first { $0 > image.booked.periodStart })
        }
    }

    private func disclosed(for image: PeriodImage) -> [DisclosedStatus] { statuses[image.booked.periodKey] ?? [] }

    /// What was paid for, cut where another purchase took its place or access was taken away, or lengthened by a grace.
    ///
    /// A refund alone moves money only.
    private func coveredUntil(of image: PeriodImage, before next: PeriodImage?) -> Int64 {
        let (declared, shown) = (declaredEnd(of: image, before: next), disclosed(for: image))
        if image.booked.isUpgraded || shown.last?.revokedAt != nil { return declared }
        return max(declared, shown.compactMap(\.graceEndsAt).max() ?? declared)
    }

    /// The same without a grace.
    private func declaredEnd(of image: PeriodImage, before next: PeriodImage?) -> Int64 {
        let (end, last) = (image.booked.periodEnd, disclosed(for: image).last)
        if image.booked.isUpgraded {
            // A successor that nobody has seen yet, or that is paid in advance, began when the store said that this one
            // was over.
            return min(end, next?.booked.periodStart ?? end, last?.subscription.expiresAt ?? end)
        }
        if let revokedAt = last?.revokedAt { return min(end, revokedAt) }
        // The store moves the expiry: for hours, by a deferral, back to a revocation. The last one disclosed counts.
        return last?.subscription.expiresAt ?? end
    }

    private func outcome(of image: PeriodImage, before next: PeriodImage?) -> Lineage.Outcome {
        let shown = disclosed(for: image).map(\.subscription)
        if let reason = shown.compactMap(\.endReason).last { return reason == .replaced ? .moved : .churned(reason) }
        guard let next else {
            switch shown.last?.state {
            case .billingRetry: return .lapsed
            case .paused: return .paused
            default: return .open
            }
        }
        if shown.contains(where: { $0.state == .grace || $0.state == .billingRetry }) { return .lapsed }
        if shown.contains(where: { $0.state == .paused }) { return .paused }
        return next.booked.kind == .renewal ? .lapsed : .churned(.unknown)
    }
}
