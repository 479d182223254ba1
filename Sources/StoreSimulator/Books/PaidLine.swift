// SPDX-License-Identifier: Apache-2.0

/// One lineage's paid time: unbroken stretches of pieces, each with what a month of it is worth.
struct PaidLine: Sendable {
    struct Piece: Sendable {
        var start: Int64
        var productID: String
        var value: Value?
    }

    /// What a month is worth; nil in its place where the price is not known: such a customer pays, and nobody knows what.
    struct Value: Hashable, Sendable {
        /// In nanos, thousandths of a micro.
        var monthly: Int128
        var currency: String
    }

    struct Stretch: Sendable {
        /// At least one.
        var pieces: [Piece]
        var end: Int64
        var outcome: Lineage.Outcome
    }

    var appID: String
    /// In their order, with time between them.
    var stretches: [Stretch]
    /// It is older than the first period that is known.
    var isImported = false
}

extension PaidLine {
    /// A change of one product's recurring revenue.
    struct Change {
        var at: Int64
        var productID: String
        var currency: String
        var movement: Bridge.Movement
        /// In nanos.
        var amount: Int128
    }

    /// Every change, each in exactly one way in or out.
    func changes() -> [Change] {
        var changes: [Change] = []
        for (position, stretch) in stretches.enumerated() {
            let before = position > 0 ? stretches[position - 1].outcome : nil
            changes += entry(stretch.pieces[0], after: before)
            for (piece, next) in zip(stretch.pieces, stretch.pieces.dropFirst()) { changes += step(piece, next) }
            if let movement = stretch.outcome.movement { changes += exit(stretch, movement) }
        }
        return changes
    }

    private func entry(_ piece: Piece, after outcome: Lineage.Outcome?) -> [Change] {
        let movement: Bridge.Movement =
            switch outcome {
            case nil: isImported ? .imported : .new
            case .churned: .reactivation
            case .moved: .movedIn
            case .lapsed, .paused, .open: .recovery
            }
        return change(movement, of: piece, at: piece.start, by: piece.value?.monthly)
    }

    private func exit(_ stretch: Stretch, _ movement: Bridge.Movement) -> [Change] {
        let last = stretch.pieces[stretch.pieces.count - 1]
        return change(movement, of: last, at: stretch.end, by: last.value.map { -$0.monthly })
    }

    /// A product change moves the old value over; what differs is the new product's gain or loss.
    ///
    /// Where the currencies differ, or one of the prices is not known, there is no difference to book: the old value
    /// ends, the new begins.
    private func step(_ piece: Piece, _ next: Piece) -> [Change] {
        guard let old = piece.value, let new = next.value, old.currency == new.currency else {
            return change(.movedOut, of: piece, at: next.start, by: piece.value.map { -$0.monthly })
                + change(.movedIn, of: next, at: next.start, by: next.value?.monthly)
        }
        let difference = new.monthly - old.monthly
        let moved =
            piece.productID == next.productID
            ? []
            : change(.movedOut, of: piece, at: next.start, by: -old.monthly)
                + change(.movedIn, of: next, at: next.start, by: old.monthly)
        return moved
            + change(difference < 0 ? .contraction : .expansion, of: next, at: next.start, by: difference)
    }

    private func change(
        _ movement: Bridge.Movement, of piece: Piece, at instant: Int64, by amount: Int128?
    ) -> [Change] {
        guard let amount, amount != 0, let currency = piece.value?.currency else { return [] }
        return [
            Change(at: instant, productID: piece.productID, currency: currency, movement: movement, amount: amount)
        ]
    }
}

extension Lineage.Outcome {
    /// Nil while nobody said that it ended.
    fileprivate var movement: Bridge.Movement? {
        switch self {
        case .open: nil
        case .lapsed: .lapsed
        case .paused: .paused
        case .moved: .movedOut
        case .churned(let reason):
            switch reason {
            case .voluntary: .churnVoluntary
            case .involuntary: .churnInvoluntary
            case .price: .churnPrice
            case .product: .churnProduct
            case .refund: .churnRefund
            case .developer, .revoke, .replaced, .unknown: .churnOther
            }
        }
    }
}
