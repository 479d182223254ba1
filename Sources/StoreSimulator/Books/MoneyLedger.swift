// SPDX-License-Identifier: Apache-2.0

/// The money of one purchase, entry by entry, as answers disclosed it: what was once written is never rewritten.
struct MoneyLedger: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case charge, refund
            /// How many refunds it takes back: all of them when nothing stays given back, else none.
            case reversal(of: Int)
        }
        var kind: Kind
        var at: Int64
        /// Always positive.
        var micros: Int64

        /// The tax in it and the developer's part of it, below zero for what went back; nil where not reported.
        var taxMicros: Int64?
        var proceedsMicros: Int64?
        /// Above zero for what came in, below for what went back.
        var signed: Int64 { kind == .refund ? -micros : micros }
    }

    private(set) var entries: [Entry] = []
    private var givenBack: (at: Int64, micros: Int64)?

    /// Writes down what is new about the purchase in an answer of that instant.
    ///
    /// A refund is dated by the store. Its row never says when it took one back: that is the instant at which a notification said
    /// so, else that of the first answer that speaks of less than the one before.
    mutating func take(_ image: PeriodImage, answeredAt now: Int64, toldAt: Int64? = nil) {
        guard let price = image.bookedPrice else { return }
        let booked = image.booked
        if entries.isEmpty { entries.append(Entry(kind: .charge, at: booked.purchasedAt, micros: price)) }
        let reported = booked.refundedAt.flatMap { at in
            booked.refundMicros.flatMap { $0 > 0 ? (at: at, micros: $0) : nil }
        }
        if !image.refunds.isEmpty {
            // Each sum that was given back of an item is a refund of its own, on its own day.
            let known = entries.count { $0.kind == .refund }
            for sum in image.refunds.dropFirst(known) { refund(sum.micros, at: sum.at) }
        } else if image.seatsGivenBack > 0 {
            // More seats than before are a refund of their own, on their own day.
            let more = (reported?.micros ?? 0) - (givenBack?.micros ?? 0)
            if let reported, more > 0 { refund(more, at: reported.at) }
        } else {
            let told = toldAt.flatMap { told in givenBack.map { told > $0.at } == true ? told : nil }
            move(to: reported, answeredAt: min(now, told ?? now))
        }
        givenBack = reported
    }

    private mutating func refund(_ micros: Int64, at instant: Int64) {
        entries.append(Entry(kind: .refund, at: instant, micros: micros))
    }

    /// A refund of another day takes the place of the one before; of the same one the difference is booked.
    private mutating func move(to reported: (at: Int64, micros: Int64)?, answeredAt now: Int64) {
        var known = givenBack?.micros ?? 0
        if let old = givenBack, let reported, old.at != reported.at {
            reverse(old.micros, at: old.at, isWhole: true)
            known = 0
        }
        let more = (reported?.micros ?? 0) - known
        if let reported, more > 0 { refund(more, at: reported.at) }
        if more < 0 { reverse(-more, at: now, isWhole: reported == nil) }
    }

    private mutating func reverse(_ micros: Int64, at instant: Int64, isWhole: Bool) {
        let taken = entries.reduce(0) { sum, entry in
            switch entry.kind {
            case .charge: sum
            case .refund: sum + 1
            case .reversal(let count): sum - count
            }
        }
        entries.append(Entry(kind: .reversal(of: isWhole ? taken : 0), at: instant, micros: micros))
    }

    static func == (left: MoneyLedger, right: MoneyLedger) -> Bool { left.entries == right.entries }
    func hash(into hasher: inout Hasher) { hasher.combine(entries) }
}
