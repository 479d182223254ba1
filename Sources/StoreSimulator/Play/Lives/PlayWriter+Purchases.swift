// SPDX-License-Identifier: Apache-2.0

extension PlayWriter {
    /// The first purchase.
    mutating func begin(_ chapter: PlayChapter, at instant: Int64) {
        mark(chapter)
        var charge = Charge(processedAt: instant, start: instant, end: product.term.after(instant))
        switch chapter {
        case .freeTrial:
            charge.phase = .freeTrial
            charge.end = product.trial.after(instant)
            charge.mayRunLate = false
        case .introductoryPrice:
            charge.phase = .introductory
            charge.share = 500
        case .offerCode:
            charge.share = 750
        default:
            break
        }
        hasAddOn = chapter == .addOn
        guard chapter != .testPurchase else { return test(at: instant) }
        open(at: instant) {
            if chapter == .offerCode { $0.promotionCode = "WELCOME25" }
            $0.isPrepaid = chapter == .prepaid
        }
        if chapter == .prepaid { charge.mayRunLate = false }
        pay(charge)
    }

    /// A tester's: a month lasts five minutes and renews five times. The old interface's reader sees one only, and the
    /// orders interface does not know it.
    private mutating func test(at instant: Int64) {
        open(at: instant) { $0.isTest = true }
        let length = (setting.isReadByV1 ? 30 : 5) * CivilTime.minute
        for part in 0..<(setting.isReadByV1 ? 1 : 6) {
            let start = instant + Int64(part) * length
            pay(Charge(processedAt: start, start: start, end: start + length, mayRunLate: false))
        }
        if setting.isReadByV1 { amend { $0.orders[0].isUnknown = true } }
        expire(at: serviceEnd, until: serviceEnd, by: .system)
    }

    /// Another purchase takes the place of the running one at once, and is paid in full.
    mutating func replace(by next: PlayProduct, at instant: Int64, until end: Int64? = nil) {
        let old = tokens.last
        expire(at: instant, until: instant, by: .replacement)
        if !setting.isReadByV1, random.chance(perMille: 300) { amend { $0.isRegistered = false } }
        product = next
        open(at: instant, linkedTo: old?.token) { $0.isPrepaid = old?.isPrepaid ?? false }
        pay(
            Charge(
                processedAt: instant, start: instant, end: end ?? product.term.after(instant),
                mayRunLate: old?.isPrepaid != true))
    }

    /// Cancelled, and bought anew in the app before it ran out.
    mutating func signUpAgain() {
        let off = instant(from: 200, to: 400)
        cancel(at: off, by: .user(at: off))
        replace(by: product, at: instant(from: 500, to: 800))
    }

    /// A prepaid month more: a new purchase with the rest of the old one's time.
    mutating func topUp() {
        replace(by: product, at: instant(from: 500, to: 800), until: product.term.after(serviceEnd))
    }

    /// Buys again some days after the end: nothing links the two.
    mutating func subscribeAgain() {
        guard let end = tokens.last?.moments.last?.at else { return }
        let instant = end + random.duration(from: 2 * CivilTime.day, to: 25 * CivilTime.day)
        guard instant <= setting.horizon else { return }
        mark(.resubscribe)
        open(at: instant)
        pay(Charge(processedAt: instant, start: instant, end: product.term.after(instant)))
    }
}
