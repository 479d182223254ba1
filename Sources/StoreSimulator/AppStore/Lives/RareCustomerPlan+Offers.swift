// SPDX-License-Identifier: Apache-2.0

/// Those who pay already, and are given something.
extension RareCustomerPlan {
    /// Two weeks are paid, a third is for nothing on a code.
    ///
    /// Every other one cancels then.
    mutating func payerWithCode() -> CustomerLife {
        let (start, market) = (start(), market())
        let life = write(.weekly, in: market) { [number] writer in
            writer.begin(.fullPrice, at: start)
            writer.renew()
            writer.renew(under: (Offer(.code, .freeTrial, identifier: "THANKS", term: .weeks(1)), 1_000))
            guard number.isMultiple(of: 2) else { return writer.renewToTheHorizon() }
            writer.expire(.voluntary, at: writer.instant(in: writer.current, perMille: 500))
        }
        return customer(market, [life])
    }

    /// A month for nothing, three for the price of one and a half up front, and one for half, in some order, each after a month at
    /// the whole price.
    mutating func stayingCustomer() -> CustomerLife {
        let (start, market) = (start() - 25 * CivilTime.day, market())
        let all: [(offer: Offer?, share: Int64)] = [
            (Offer(.retention, .freeTrial, identifier: "stay.free", term: .months(1)), 1_000),
            (Offer(.retention, .payUpFront, identifier: "stay.three", term: .months(3)), 1_500),
            (Offer(.retention, .payAsYouGo, identifier: "stay.half", term: .months(1)), 500),
        ]
        let life = write(.monthly, in: market) { [number] writer in
            writer.begin(.fullPrice, at: start)
            for place in all.indices {
                writer.renew(under: all[(number + place) % all.count])
                writer.renew()
            }
            writer.renewToTheHorizon()
        }
        return customer(market, [life])
    }

    /// The second month is made longer by ten to thirty days while it runs; of every other one only the renewal's date
    /// shows it, where the app reads that.
    ///
    /// Every third one leaves at its end.
    mutating func extendedCustomer() -> CustomerLife {
        let (start, market) = (start() - 28 * CivilTime.day, market())
        let (days, showsRenewal) = (random.days(10...30), app.api == .server && !number.isMultiple(of: 2))
        let life = write(.monthly, in: market) { [number] writer in
            writer.begin(.fullPrice, at: start)
            writer.renew()
            let at = writer.instant(in: writer.current, perMille: 400)
            writer.amend { period in
                period.extended = .init(at: at, period.expiresAt)
                period.expiresAt += days
                period.isExtendedByRenewalAlone = showsRenewal
            }
            guard number % 3 != 1 else { return writer.expire(.voluntary, at: at + CivilTime.day) }
            writer.renewToTheHorizon()
        }
        return customer(market, [life])
    }
}
