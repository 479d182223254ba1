// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import Testing

@testable import AppStore

@Suite struct ReceiptDateTests {
    private enum Outcome: Equatable {
        case instant(String?)
        case pacificIgnored(String)
        case contradiction
        case unreadable
    }

    private static func outcome(_ forms: [String: String]) throws -> Outcome {
        struct Container: JSONReadable {
            let date: ReceiptDate
            init(_ fields: Fields) { date = ReceiptDate(fields, "d") }
        }
        let date = try #require(Container(json: Array(try JSONEncoder().encode(forms)))).date
        if date.isUnreadable { return .unreadable }
        var ignored = false
        do throws(ReceiptDate.Contradiction) {
            let text = try date.instant(pacificDisagrees: &ignored)?.iso8601
            return ignored ? .pacificIgnored(text ?? "") : .instant(text)
        } catch {
            return .contradiction
        }
    }

    /// 1628533562000 is 2021-08-09T18:26:02Z, 11:26:02 in California's summer.
    @Test(
        arguments: [
            (["d_ms": "1628533562000"], .instant("2021-08-09T18:26:02Z")),
            (["d": "2021-08-09 18:26:02 Etc/GMT"], .instant("2021-08-09T18:26:02Z")),
            (["d_pst": "2021-08-09 11:26:02 America/Los_Angeles"], .instant("2021-08-09T18:26:02Z")),
            // In winter California is eight hours behind.
            (["d_pst": "2018-12-04 00:03:50 America/Los_Angeles"], .instant("2018-12-04T08:03:50Z")),
            // The text leaves the fraction out; a second is no contradiction.
            (
                ["d_ms": "1628533562696", "d": "2021-08-09 18:26:02 Etc/GMT"],
                .instant("2021-08-09T18:26:02.696Z")
            ),
            (["d_ms": "1628533562000", "d": "2021-08-09 18:26:03 Etc/GMT"], .instant("2021-08-09T18:26:02Z")),
            (["d_ms": "1628533562000", "d": "2021-08-09 18:26:04 Etc/GMT"], .contradiction),
            // California's form never outweighs the milliseconds, and is not ignored without them.
            (
                ["d_ms": "1628533562000", "d_pst": "2021-08-09 10:26:02 America/Los_Angeles"],
                .pacificIgnored("2021-08-09T18:26:02Z")
            ),
            (
                [
                    "d_ms": "1628533562000", "d": "2021-08-09 18:26:02 Etc/GMT",
                    "d_pst": "2021-08-09 10:26:02 America/Los_Angeles",
                ], .pacificIgnored("2021-08-09T18:26:02Z")
            ),
            (
                ["d": "2021-08-09 18:26:02 Etc/GMT", "d_pst": "2021-08-09 10:26:02 America/Los_Angeles"],
                .contradiction
            ),
            // 2021-11-07 01:30 came twice in California: at 08:30Z and at 09:30Z. Either fits.
            (
                ["d_ms": "1636273800000", "d_pst": "2021-11-07 01:30:00 America/Los_Angeles"],
                .instant("2021-11-07T08:30:00Z")
            ),
            (
                ["d_ms": "1636277400000", "d_pst": "2021-11-07 01:30:00 America/Los_Angeles"],
                .instant("2021-11-07T09:30:00Z")
            ),
            // Alone it is taken for the first of the two.
            (["d_pst": "2021-11-07 01:30:00 America/Los_Angeles"], .instant("2021-11-07T08:30:00Z")),
            // The hour that spring leaves out.
            (["d_pst": "2021-03-14 02:30:00 America/Los_Angeles"], .unreadable),
            // The form of iOS 6.
            (["d": "1628533562000"], .instant("2021-08-09T18:26:02Z")),
            ([:], .instant(nil)), (["d": "soon"], .unreadable), (["d_ms": "-5"], .unreadable),
            (["d": "2021-13-40 18:26:02 Etc/GMT"], .unreadable), (["d": "2021-08-09 18:26:02 Mars/Base"], .unreadable),
            (["d": "soon", "d_ms": "1628533562000"], .instant("2021-08-09T18:26:02Z")),
        ] as [([String: String], Outcome)])
    private func `any form suffices, and contradictions are found`(forms: [String: String], outcome: Outcome) throws {
        #expect(try Self.outcome(forms) == outcome)
    }

    @Test func `A4: a row whose dates contradict each other is set aside, its neighbours are not`() throws {
        let object = try Sample.production.object(changingRows: { row in
            if row["transaction_id"] as? String == "230001017218955" {
                row["expires_date"] = "2021-08-04 20:41:58 Etc/GMT"
            }
        })
        let reading = try Sample.production.read(object)
        #expect(reading.setAside.map(\.reason) == ["dates_disagree"])
        #expect(
            reading.observations.first?.periods.map(\.transactionID) == ["1000000831360853", "230001020690335"])
    }

    @Test func `A4: where only California's form disagrees it is counted`() throws {
        let object = try Sample.production.object(changingRows: { row in
            row["expires_date_pst"] = "2021-08-04 20:41:58 America/Los_Angeles"
        })
        let reading = try Sample.production.read(object)
        #expect(reading.essence == (try Sample.production.read(try Sample.production.bytes()).essence))
        #expect(reading.unknownValues == ["receipt_row.expires_date_pst disagrees": 3])
    }
}
