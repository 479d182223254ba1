// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing
import Transform

@Suite struct PlanChangeTests {
    private func kinds(_ periods: [ObservedPeriod], levels: ProductLevels = [:]) -> [TransactionKind] {
        rows(reading(observation(periods)), now: day(400), levels: levels).transactions.map(\.kind)
    }

    @Test func `B7: an upgrade at once: the superseded row retains its price, the new one is the upgrade`() {
        let rows = rows(
            reading(
                observation([
                    period(0, upgraded: true), period(10, product: "pro", price: 19_990_000, hint: .purchase),
                    period(40, product: "pro", price: 19_990_000, hint: .renewal),
                ])), now: day(41)
        ).transactions
        #expect(rows.map(\.kind) == [.purchase, .upgrade, .renewal])
        #expect(rows[0].isUpgraded)
        #expect(rows[0].priceMicros == 9_990_000)
        #expect(rows[0].refundMicros == nil)
    }

    @Test func `a superseded row ends where its successor begins: a later lapse is a lapse, whatever it once stated`() {
        let year = period(0, days: 365, price: 59_990_000, upgraded: true)
        let pro = period(10, product: "pro", price: 19_990_000)
        #expect(kinds([year, pro, period(90, product: "pro")]) == [.purchase, .upgrade, .resubscribe])
    }

    @Test func `B7: a downgrade or a crossgrade takes effect at the renewal`() {
        let pro = period(0, product: "pro", price: 19_990_000)
        #expect(kinds([pro, period(30, hint: .renewal)]) == [.purchase, .downgrade])
        #expect(kinds([period(0), period(30, product: "other")]) == [.purchase, .crossgrade])
    }

    @Test
    func `directions compare the monthly value: a year for 59.99 is less than a month for 9.99, more than for 4.99`() {
        let year = period(30, days: 365, product: "yearly", price: 59_990_000)
        #expect(kinds([period(0), year]) == [.purchase, .downgrade])
        #expect(kinds([period(0, price: 4_990_000), year]) == [.purchase, .upgrade])
    }

    @Test func `a price that is missing, zero or in another currency compares with nothing: a crossgrade`() {
        #expect(kinds([period(0, price: nil), period(30, product: "pro")])[1] == .crossgrade)
        #expect(kinds([period(0), period(30, product: "pro", price: nil)])[1] == .crossgrade)
        #expect(kinds([period(0), period(30, product: "pro", price: 0)])[1] == .crossgrade)
        var euro = period(30, product: "pro", price: 99_990_000)
        euro.facts.currency = "EUR"
        #expect(kinds([period(0), euro])[1] == .crossgrade)
    }

    @Test func `levels of an imported product list come before prices`() {
        let periods = [period(0), period(30, product: "pro", price: 1_000_000)]
        #expect(kinds(periods, levels: ["monthly": 2, "pro": 1])[1] == .upgrade)
        #expect(kinds(periods, levels: ["monthly": 1, "pro": 2])[1] == .downgrade)
        #expect(kinds(periods, levels: ["monthly": 1, "pro": 1])[1] == .crossgrade)
        #expect(kinds(periods, levels: ["pro": 1])[1] == .downgrade)
    }

    @Test func `B7: another base plan of a product is a change of plan, by its own level, else by the monthly value`() {
        var (month, year) = (period(0), period(30, days: 365, price: 59_990_000))
        (month.facts.basePlanID, year.facts.basePlanID) = ("monthly", "yearly")
        #expect(kinds([month, year]) == [.purchase, .downgrade])
        var levels: ProductLevels = ["monthly": 5]
        // One level for both says nothing of the direction.
        #expect(kinds([month, year], levels: levels) == [.purchase, .downgrade])
        levels.set(1, of: "monthly", basePlanID: "yearly")
        #expect(kinds([month, year], levels: levels) == [.purchase, .upgrade])
        year.facts.basePlanID = nil
        #expect(kinds([month, year]) == [.purchase, .renewal])
    }

    @Test func `B7: what cost nothing between two paid periods of another base plan continues what was paid`() {
        var (month, rest, year) = (
            period(0, upgraded: true), period(10, days: 20, price: 0), period(30, days: 365, price: 59_990_000)
        )
        (month.facts.basePlanID, rest.facts.basePlanID, year.facts.basePlanID) = ("monthly", "yearly", "yearly")
        #expect(kinds([month, rest, year]) == [.purchase, .crossgrade, .renewal])
    }

    @Test func `another product after a lapse is a resubscribe, and a trial's conversion to it a purchase`() {
        #expect(kinds([period(0), period(90, product: "pro", hint: .purchase)])[1] == .resubscribe)
        let rows = rows(reading(observation([trial(0), period(7, product: "pro")])), now: day(8)).transactions
        #expect(rows.map(\.kind) == [.trial, .purchase])
        #expect(rows[1].isTrialConversion)
    }

    @Test func `B7: the items of one order are lines of their own: an add-on is no change of plan`() {
        let rows = rows(
            reading(
                observation([
                    period(0, id: "GPA.1..0"), period(0, id: "GPA.1..0", product: "add-on", price: 1_000_000),
                    period(30, id: "GPA.1..1"), period(30, id: "GPA.1..1", product: "add-on", price: 1_000_000),
                ])), now: day(31)
        ).transactions
        #expect(rows.map(\.productID) == ["add-on", "monthly", "add-on", "monthly"])
        #expect(rows.map(\.kind) == [.purchase, .purchase, .renewal, .renewal])
    }
}
