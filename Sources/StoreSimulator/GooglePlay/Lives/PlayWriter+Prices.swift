// SPDX-License-Identifier: Apache-2.0

/// What becomes of the price of a purchase.
extension PlayWriter {
    /// The next period, or the end, after a change of the price; a plain renewal for any other step.
    mutating func changePrice(_ step: PlayStep) {
        switch step {
        case .optOutIncrease: reprice(.optOut, to: 1_250, after: [.outstanding])
        case .optInAccepted: reprice(.optIn, to: 1_250, after: [.outstanding, .confirmed])
        case .priceDecrease: reprice(.decrease, to: 750, after: [.confirmed])
        // The developer takes the new price back: all goes on as before.
        case .priceChangeCancelled:
            announce(.optIn, of: 1_500, through: [.outstanding, .cancelled])
            priceChange = nil
            renew()
        // Nobody said yes: the store ends it with the period.
        case .optInRefused:
            announce(.optIn, of: 1_500, through: [.outstanding])
            endWithoutConsent(at: serviceEnd - CivilTime.hour)
        case .stepUpConsent:
            askToStepUp([.pending, .confirmed])
            stepUp?.state = .completed
            renew()
        // Nobody says yes to the price after the offer: when the time for that is over the store cancels it.
        case .stepUpRefused:
            askToStepUp([.pending])
            endWithoutConsent(at: stepUpDeadline)
        case .discounted: renewDiscounted(by: 500)
        case .discountedWholly: renewDiscounted(by: 1_000)
        default: renew()
        }
    }

    /// The change is announced, and the next period is the first one at the new price.
    private mutating func reprice(
        _ mode: PlayPriceChange.Mode, to share: Int64, after states: [PlayPriceChange.State]
    ) {
        announce(mode, of: share, through: states)
        priceShare = share
        priceChange?.state = .applied
        priceChange?.expectedAt = nil
        renew()
    }

    /// `share`: the new price in thousandths of the list price.
    private mutating func announce(
        _ mode: PlayPriceChange.Mode, of share: Int64, through states: [PlayPriceChange.State]
    ) {
        let new = setting.market.playPrice(of: product) * share / 1_000
        for (index, state) in states.enumerated() {
            priceChange = PlayPriceChange(
                mode: mode, state: state, newMicros: new, expectedAt: state == .cancelled ? nil : serviceEnd)
            showPrice(Int64(index))
        }
    }

    /// Until when the customer may say yes to the price after the offer.
    private var stepUpDeadline: Int64 { serviceEnd - CivilTime.day }

    private mutating func askToStepUp(_ states: [PlayStepUp.State]) {
        for (index, state) in states.enumerated() {
            stepUp = PlayStepUp(state: state, newMicros: recurringPrice(of: product), deadline: stepUpDeadline)
            showPrice(Int64(index))
        }
    }

    /// The running period with what is known of the next price: for the first time, for the second.
    private mutating func showPrice(_ index: Int64) {
        let from = 200 + index * 300
        stand(.active, at: instant(from: from, to: from + 200), until: expiry)
    }

    private mutating func endWithoutConsent(at instant: Int64) {
        cancel(at: instant, by: .system)
        expire(at: serviceEnd, until: serviceEnd, by: .system)
    }

    /// The next period at the price as ever, so many thousandths of which the store pays for the customer's points.
    private mutating func renewDiscounted(by share: Int64) {
        let at = serviceEnd + (slack > 0 ? slack / 2 : 0)
        pay(
            Charge(
                processedAt: at, start: serviceEnd, end: product.term.after(serviceEnd), couponShare: share,
                mayRunLate: false))
    }
}
