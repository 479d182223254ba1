// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Testing

@Suite("Instants and business dates")
struct TimeTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-03-01T02:15:00Z", 1_772_331_300_000_000),
            ("2026-03-01T02:15:00.5Z", 1_772_331_300_500_000), ("2026-03-01T02:15:00.123456Z", 1_772_331_300_123_456),
            ("2026-03-01T04:15:00+02:00", 1_772_331_300_000_000), ("2026-02-28T20:45:00-0530", 1_772_331_300_000_000),
            ("1969-12-31T23:59:59.999Z", -1_000),
        ] as [(String, Int64)])
    func `ISO 8601 is read to the microsecond`(text: String, micros: Int64) {
        #expect(Instant(iso8601: text)?.micros == micros)
    }

    @Test(
        arguments: [
            "", "2026-03-01", "2026-03-01T02:15:00", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z",
            "2026-03-01T02:15:00Zx", "2026-03-01T02:15:00.1234567Z", "2026-03-01T02:15:00.Z", "yesterday",
            "2026-03-01T02:15:00+99:00",
        ])
    func `what is no instant is refused`(text: String) {
        #expect(Instant(iso8601: text) == nil)
    }

    @Test(
        arguments: [
            "2026-03-01T02:15:00Z", "2026-03-01T02:15:00.120Z", "2026-03-01T02:15:00.123456Z",
            "1969-12-31T23:59:59.999Z",
        ])
    func `ISO 8601 is written as short as it is exact`(text: String) {
        #expect(Instant(iso8601: text)?.iso8601 == text)
    }

    @Test func `instants stop at the ends of time instead of wrapping around`() {
        #expect(Instant.distantPast - Span.days(1) == .distantPast)
        #expect(Instant.distantFuture + Span.days(1) == .distantFuture)
        #expect(Instant(micros: 0) - Instant.distantPast > .days(1_000))
        #expect(Instant(milliseconds: .max) == .distantFuture)
        #expect(Instant(micros: -1).milliseconds == -1)
        #expect(Instant(micros: 1_999).milliseconds == 1)
    }

    @Test(
        arguments: [
            ("2026-03-10T02:00:00Z", "UTC", "2026-03-09"), ("2026-03-10T00:00:00Z", "UTC", "2026-03-09"),
            ("2026-03-09T23:59:59Z", "UTC", "2026-03-08"),
            // Berlin, 2026-03-29 has 23 hours: it begins at 23:00 UTC the day before and ends at 22:00 UTC.
            ("2026-03-29T22:00:00Z", "Europe/Berlin", "2026-03-29"),
            ("2026-03-29T21:59:59Z", "Europe/Berlin", "2026-03-28"),
            ("2026-03-28T23:00:00Z", "Europe/Berlin", "2026-03-28"),
            ("2026-03-28T22:59:59Z", "Europe/Berlin", "2026-03-27"),
            // Los Angeles, 2026-11-01 has 25 hours: 07:00 UTC to 08:00 UTC the next day.
            ("2026-11-01T07:00:00Z", "America/Los_Angeles", "2026-10-31"),
            ("2026-11-02T07:59:59Z", "America/Los_Angeles", "2026-10-31"),
            ("2026-11-02T08:00:00Z", "America/Los_Angeles", "2026-11-01"),
        ])
    func `the business date is the last complete day of the report zone, days of 23 and 25 hours included`(
        now: String, zone: String, expected: String
    ) throws {
        let zone = try #require(TimeZone(identifier: zone))
        #expect(BusinessDate(lastCompleteDayBefore: try at(now), in: zone).description == expected)
    }

    @Test(
        arguments: [
            // 1 November 2026 has 25 hours there and is over at 08:00 UTC; 8 March has 23, from 08:00 to 07:00 UTC.
            ("2026-11-02T07:59:59Z", "2026-10-31"), ("2026-11-02T08:00:00Z", "2026-11-01"),
            ("2026-03-09T06:59:59Z", "2026-03-07"), ("2026-03-09T07:00:00Z", "2026-03-08"),
        ])
    func `in the stores' zones a day is complete when it is over in Los Angeles`(now: String, expected: String) throws {
        let zone = try #require(ReportTimeZone(named: "store"))
        #expect(zone.identifier == "store")
        #expect(BusinessDate(lastCompleteDayBefore: try at(now), in: zone).description == expected)
        #expect(ReportTimeZone(named: "Mars") == nil)
        // The checks ask in UTC for what the reports keep.
        #expect(ReportTimeZone.utc.identifier == "UTC" && ReportTimeZone(named: "UTC") == .utc)
    }

    @Test func `a business date is a day of the calendar`() {
        #expect(BusinessDate("2026-02-28")?.description == "2026-02-28")
        for day in ["2026-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00", "1900-02-29", "2100-02-29"] {
            #expect(BusinessDate(day) == nil, "\(day)")
        }
        for day in ["2000-02-29", "2028-02-29", "2026-12-31", "1600-02-29"] {
            #expect(BusinessDate(day)?.description == day)
        }
        #expect(BusinessDate("2026-2-28") == nil)
        #expect(BusinessDate("2026-02-28x") == nil)
    }

    @Test func `a charge is looked at again after 30 and 60 days, each once`() throws {
        let charges = [try at("2026-01-01T00:00:00Z"), try at("2026-02-01T00:00:00Z")]
        func next(_ checked: String) throws -> String? {
            RefundWatch.next(charges: charges, checkedAt: try at(checked))?.iso8601
        }
        #expect(try next("2026-01-10T00:00:00Z") == "2026-01-31T00:00:00Z")
        #expect(try next("2026-01-31T00:00:00Z") == "2026-03-02T00:00:00Z")
        #expect(try next("2026-03-02T12:00:00Z") == "2026-03-03T00:00:00Z")
        #expect(try next("2026-03-20T00:00:00Z") == "2026-04-02T00:00:00Z")
        #expect(try next("2026-04-02T00:00:00Z") == nil)
        #expect(RefundWatch.next(charges: charges, checkedAt: try at("2026-01-02T00:00:00Z"), days: []) == nil)
    }

    @Test func `secrets and receipts never print`() {
        let receipt = Receipt(id: 7, data: Secret("MIIT-receipt"))
        #expect(!"\(receipt)".contains("MIIT"))
        #expect(!String(reflecting: receipt).contains("MIIT"))
        var dumped = ""
        dump(receipt, to: &dumped)
        #expect(!dumped.contains("MIIT"))
    }
}
