// SPDX-License-Identifier: Apache-2.0

import Foundation

extension RandomHistory {
    /// Orders and words of a Play purchase: its expiry moves, tokens continue each other, plans change for nothing.
    private struct PlayLife {
        let lineage: Int64
        var key: Int64
        var product: Int
        var place = 0
        var kind = "purchase"
        var price: Int64
        var start: Date
    }

    /// A line of purchase tokens, each linked to the one before it; the oldest one names the lineage.
    mutating func livePlay(_ key: Int64) {
        let start = Date(timeIntervalSince1970: 1_756_684_800 + Double(random(150) * 86_400 + random(86_400)))
        let product = random(3)
        var life = PlayLife(
            lineage: key, key: key, product: product, price: Self.products[product].price, start: start)
        for _ in 0..<(2 + random(7)) {
            let expiry = end(of: life.product, from: life.start)
            order(&life, through: expiry)
            say("active", life.key, life.start, expires: expiry)
            guard next(&life, expiry) else { return }
        }
    }

    /// What becomes of an order; false where nothing follows it.
    private mutating func next(_ life: inout PlayLife, _ expiry: Date) -> Bool {
        life.kind = "renewal"
        life.price = Self.products[life.product].price
        life.start = expiry
        switch random(12) {
        case 0:
            // Google adds hours, or a developer defers the next payment by days.
            let later = expiry + Double(1 + random(random(2) == 0 ? 6 : 150)) * 3_600
            say("active", life.key, expiry - 80_000, expires: later)
            life.start = later
        case 1, 2:
            let grace = expiry + 3 * 86_400
            say("grace", life.key, expiry, expires: expiry, grace: grace)
            life.start = expiry + Double(1 + random(200_000))
            if random(2) == 0 { return true }
            say("billing_retry", life.key, grace, expires: expiry, grace: grace)
            if random(3) == 0 {
                say("expired", life.key, grace, delay: 30, reason: "involuntary", expires: expiry)
                return false
            }
            life.start = grace + Double(2 + random(20)) * 86_400
        case 3, 4:
            say("paused", life.key, expiry, expires: expiry)
            if random(3) == 0 { return false }
            life.start = expiry + Double(2 + random(60)) * 86_400
        case 5, 6:
            changePlan(&life, expiry)
        case 7:
            // The money goes back and the purchase is revoked: its expiry moves to that instant.
            let instant = expiry - 3 * 86_400
            refundLast(of: life, at: instant)
            say("revoked", life.key, instant, reason: random(2) == 0 ? "refund" : "revoke", expires: instant)
            if random(2) == 0 { return false }
            comeBack(&life, at: instant + Double(2 + random(30)) * 86_400)
        case 8:
            // Only the money goes back.
            refundLast(of: life, at: life.start - 1_000)
        case 9:
            let reasons = ["voluntary", "price", "developer", "unknown"]
            say("expired", life.key, expiry, reason: reasons[random(4)], expires: expiry)
            if random(2) == 0 { return false }
            comeBack(&life, at: expiry + Double(2 + random(60)) * 86_400)
        default: break
        }
        return true
    }

    /// Another plan under a token of its own: for nothing until the old plan's time is used up, or paid for at once.
    private mutating func changePlan(_ life: inout PlayLife, _ expiry: Date) {
        let change = expiry - Double(1 + random(5)) * 86_400
        say("expired", life.key, change, reason: "replaced", expires: change)
        (life.key, life.place) = (life.key + 100_000, 0)
        life.product = (life.product + 1) % 3
        (life.start, life.kind) = (change, ["upgrade", "downgrade", "crossgrade"][random(3)])
        life.price = random(2) == 0 ? 0 : Self.products[life.product].price
    }

    private mutating func comeBack(_ life: inout PlayLife, at instant: Date) {
        (life.key, life.place) = (life.key + 100_000, 0)
        (life.start, life.kind) = (instant, "resubscribe")
    }

    private mutating func order(_ life: inout PlayLife, through expiry: Date) {
        life.place += 1
        rows.append(
            .sale(
                Sale(
                    key: life.key, id: "GPA.\(life.key)..\(100 + life.place)",
                    product: "play-" + Self.products[life.product].id, kind: life.kind, from: Self.text(life.start),
                    to: Self.text(expiry), price: life.price, store: "google_play", lineage: life.lineage)))
    }

    private mutating func refundLast(of life: PlayLife, at instant: Date) {
        guard case .sale(var sale)? = rows.last(where: { if case .sale = $0 { $0.key == life.key } else { false } })
        else { return }
        (sale.refundedAt, sale.refundKind, sale.refund) = (Self.text(instant), "full", sale.price)
        refunds.append(sale)
    }
}
