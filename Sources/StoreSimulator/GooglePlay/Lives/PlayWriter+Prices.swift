// SPDX-License-Identifier: Apache-2.0

extension PlayWriter {
    /// A price that rises for whoever does not leave.
    mutating func raiseUnlessLeft() {
        changePrice(.optOut, to: 1_250, after: [.outstanding])
        applyPrice(1_250)
    }

    /// A price that rises because the customer said yes.
    mutating func raiseWithConsent() {
        changePrice(.optIn, to: 1_250, after: [.outstanding, .confirmed])
        applyPrice(1_250)
    }

    /// The developer takes the new price back: all goes on as before.
    mutating func cancelPriceChange() {
        changePrice(.optIn, to: 1_500, after: [.outstanding, .cancelled])
        priceChange = nil
        renew()
    }

    mutating func lowerPrice() {
        changePrice(.decrease, to: 750, after: [.confirmed])
        applyPrice(750)
    }

    /// Nobody said yes: the store ends it with the period.
    mutating func refusePrice() {
        changePrice(.optIn, to: 1_500, after: [.outstanding])
        let end = serviceEnd
        stand(.canceled, at: end - CivilTime.hour, until: end, renews: false) { $0.cancellation = .system }
        expire(at: end, until: end, by: .system)
    }

    /// The customer says yes to the price after the offer, in time.
    mutating func consentToStepUp() {
        let deadline = serviceEnd - CivilTime.day
        for (state, from) in [(PlayStepUp.State.pending, Int64(200)), (.confirmed, 500)] {
            stepUp = PlayStepUp(state: state, newMicros: recurringPrice(of: product), deadline: deadline)
            stand(.active, at: instant(from: from, to: from + 200), until: expiry)
        }
        stepUp?.state = .completed
        renew()
    }

    /// Nobody says yes to the price after the offer: when the time for that is over the store cancels it.
    mutating func refuseStepUp() {
        let (end, deadline) = (serviceEnd, serviceEnd - CivilTime.day)
        stepUp = PlayStepUp(state: .pending, newMicros: recurringPrice(of: product), deadline: deadline)
        stand(.active, at: instant(from: 200, to: 400), until: expiry)
        stand(.canceled, at: deadline, until: end, renews: false) { $0.cancellation = .system }
        expire(at: end, until: end, by: .system)
    }

    private mutating func changePrice(
        _ mode: PlayPriceChange.Mode, to share: Int64, after states: [PlayPriceChange.State]
    ) {
        let new = setting.market.playPrice(of: product) * share / 1_000
        for (index, state) in states.enumerated() {
            let from = 200 + Int64(index) * 300
            priceChange = PlayPriceChange(
                mode: mode, state: state, newMicros: new, expectedAt: state == .cancelled ? nil : serviceEnd)
            stand(.active, at: instant(from: from, to: from + 200), until: expiry)
        }
    }

    /// The first period at the new price.
    private mutating func applyPrice(_ share: Int64) {
        priceShare = share
        priceChange?.state = .applied
        priceChange?.expectedAt = nil
        renew()
    }
}
