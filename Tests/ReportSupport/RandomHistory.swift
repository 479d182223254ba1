// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A seeded population of App Store lineages with everything in their lives that moves subscriber figures.
struct RandomHistory {
    enum Row {
        case sale(Sale)
        case word(state: String, key: Int64, at: Date, recorded: Date, reason: String?, expires: Date?, grace: Date?)

        var key: Int64 {
            switch self {
            case .sale(let sale): sale.key
            case .word(_, let key, _, _, _, _, _): key
            }
        }
    }

    static let products: [(id: String, months: Int, days: Int, price: Int64)] = [
        ("monthly", 1, 0, 9_990_000), ("yearly", 12, 0, 59_990_000), ("weekly", 0, 7, 2_990_000),
        ("quarterly", 3, 0, 24_990_000), ("decade", 0, 10, 1_000_001),
    ]
    private static let style = Date.ISO8601FormatStyle()

    private var state: UInt64
    var rows: [Row] = []
    var refunds: [Sale] = []

    init(seed: UInt64, lineages: Int64) {
        state = seed
        for key in 1...lineages { live(key) }
        for key in 1...(lineages / 2) { livePlay(1_000 + key) }
    }

    /// The rows in a random order that keeps the words of a subscription in theirs, and a sale before its refund.
    mutating func shuffled() -> [Row] {
        var lines: [Int64: [Row]] = [:]
        for row in rows { lines[row.key, default: []].append(row) }
        for sale in refunds {
            let later = lines[sale.key]?.firstIndex { row in
                if case .sale(let known) = row { known.id == sale.id } else { false }
            }
            guard let later, let count = lines[sale.key]?.count else { continue }
            lines[sale.key]?.insert(.sale(sale), at: later + 1 + random(count - later))
        }
        var (order, keys) = ([Row](), lines.keys.sorted())
        while !keys.isEmpty {
            let place = random(keys.count)
            if let row = lines[keys[place]]?.removeFirst() { order.append(row) }
            if lines[keys[place]]?.isEmpty == true { keys.remove(at: place) }
        }
        return order
    }

    static func text(_ date: Date) -> String { style.format(date) }

    /// SplitMix64.
    mutating func random(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ (z >> 31)) % UInt64(bound))
    }

    func end(of product: Int, from start: Date) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let shape = Self.products[product]
        return calendar.date(byAdding: DateComponents(month: shape.months, day: shape.days), to: start) ?? start
    }

    private mutating func live(_ key: Int64) {
        // 1 September 2025 and up to 150 days; some at midnight, some a second before it, of one zone or another.
        var start = Date(timeIntervalSince1970: 1_756_684_800 + Double(random(150) * 86_400))
        start += [0, -1, 43_200, 79_200, 79_199, 25_200, 25_199, Double(random(86_400))][random(8)]
        var product = random(Self.products.count)
        var (place, kind) = (0, random(8) == 0 ? "renewal" : "purchase")
        var currency: String? = random(5) == 0 ? "EUR" : "USD"
        if random(3) == 0, kind == "purchase" {
            let over = start + 7 * 86_400
            append(key, &place, "trial", product, start, over, price: 0, currency)
            say("trial", key, start, expires: over)
            start = over
        }
        for _ in 0..<(2 + random(8)) {
            let expiry = end(of: product, from: start)
            let price: Int64? = random(15) == 0 ? nil : Self.products[product].price + Int64(random(3)) * 1_000_000
            if random(25) == 0 { currency = currency == "EUR" ? "USD" : "EUR" }
            let fate = random(14)
            let change = start + (expiry.timeIntervalSince(start) / 3).rounded()
            append(key, &place, kind, product, start, expiry, price: price, currency, isSuperseded: fate == 0)
            say("active", key, start, expires: expiry)
            switch fate {
            case 0:
                (product, start, kind) = ((product + 1) % Self.products.count, change, "upgrade")
            case 1:
                refund(key, at: change, random(3) == 0 ? "revoke" : "full")
                say("revoked", key, change, reason: random(2) == 0 ? "refund" : "revoke", expires: expiry)
                if random(2) == 0 { return }
                (start, kind) = (change + Double(2 + random(40)) * 86_400, "resubscribe")
            case 2, 3:
                let grace = expiry + 6 * 86_400
                say("grace", key, expiry, expires: expiry, grace: grace)
                if fate == 2 {
                    (start, kind) = (expiry + Double(1 + random(5 * 86_400)), "renewal")
                } else {
                    say("billing_retry", key, grace, expires: expiry, grace: grace)
                    if random(2) == 0 { return }
                    (start, kind) = (grace + Double(2 + random(20)) * 86_400, "renewal")
                }
            case 4:
                say("billing_retry", key, expiry, expires: expiry)
                if random(2) == 0 {
                    say("expired", key, expiry, delay: 60, reason: "involuntary", expires: expiry)
                    return
                }
                (start, kind) = (expiry + Double(2 + random(20)) * 86_400, "renewal")
            case 5, 6:
                let reasons = ["voluntary", "price", "product", "developer", "unknown", "replaced"]
                say("expired", key, expiry, reason: reasons[random(6)], expires: expiry)
                if random(2) == 0 { return }
                (start, kind) = (expiry + Double(2 + random(60)) * 86_400, "resubscribe")
            case 7:
                say("paused", key, expiry, expires: expiry)
                if random(2) == 0 { return }
                (start, kind) = (expiry + Double(2 + random(30)) * 86_400, "renewal")
            case 8:
                let over = expiry + 30 * 86_400
                append(key, &place, "trial", product, expiry, over, price: 0, currency)
                say("trial", key, expiry, expires: over)
                (start, kind) = (over, "renewal")
            case 9:
                // What happened between was never observed.
                (start, kind) = (expiry + Double(random(9)) * 43_200 + 1, random(2) == 0 ? "renewal" : "resubscribe")
            default:
                // Up to a day of a gap is none, and a renewal may come before the expiry.
                (start, kind) = (expiry + Double(random(2) == 0 ? 0 : random(90_000) - 3_600), "renewal")
            }
        }
    }

    private mutating func append(
        _ key: Int64, _ place: inout Int, _ kind: String, _ product: Int, _ start: Date, _ end: Date, price: Int64?,
        _ currency: String?, isSuperseded: Bool = false
    ) {
        place += 1
        rows.append(
            .sale(
                Sale(
                    key: key, id: "\(key)-\(100 + place)", product: Self.products[product].id, kind: kind,
                    from: Self.text(start), to: Self.text(end), price: price, currency: price == nil ? nil : currency,
                    environment: key % 17 == 0 ? "sandbox" : "production",
                    ownership: key % 19 == 0 ? "family_shared" : "purchased", isUpgraded: isSuperseded,
                    offerType: kind != "trial" && random(12) == 0 ? "code" : nil)))
    }

    /// The refund of the newest sale, as a later image of it.
    private mutating func refund(_ key: Int64, at instant: Date, _ kind: String) {
        guard
            case .sale(var sale) = rows.last(where: { if case .sale(let sale) = $0 { sale.key == key } else { false } })
        else { return }
        (sale.refundedAt, sale.refundKind) = (Self.text(instant), kind)
        if kind == "full" { sale.refund = sale.price }
        refunds.append(sale)
    }

    /// Learned by the night after, or that many days later.
    mutating func say(
        _ state: String, _ key: Int64, _ at: Date, delay: Int = 0, reason: String? = nil, expires: Date? = nil,
        grace: Date? = nil
    ) {
        let recorded = at + Double(delay) * 86_400 + Double(1 + random(80_000))
        rows.append(
            .word(
                state: state, key: key, at: at, recorded: recorded, reason: reason, expires: expires, grace: grace))
    }
}
