// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import StoreSimulator

/// The words in which the simulated Google Play answers: Google's own spellings of numbers, times and nothing.
@Suite struct PlayAnswerTests {
    @Test(
        arguments: [
            (12_990_000, "12", 990_000_000), (500_000, nil, 500_000_000), (3_000_000, "3", nil), (0, nil, nil),
        ] as [(Int64, String?, Int?)])
    func `money leaves out what is zero`(micros: Int64, units: String?, nanos: Int?) throws {
        let money = try StoreResponse.json(PlayJSON.money(micros, "EUR")).object
        #expect(money["currencyCode"] as? String == "EUR")
        #expect(money["units"] as? String == units)
        #expect(money["nanos"] as? Int == nanos)
    }

    @Test func `times have none, three, six or nine digits`() {
        let noon = instant("2026-01-01T12:00:00Z")
        #expect(PlayJSON.time(noon) == "2026-01-01T12:00:00Z")
        #expect(PlayJSON.time(noon + 123_000) == "2026-01-01T12:00:00.123Z")
        #expect(PlayJSON.time(noon + 123_456) == "2026-01-01T12:00:00.123456Z")
        #expect(PlayJSON.time(noon + CivilTime.minute + 123_000) == "2026-01-01T12:01:00.123000Z")
        #expect(PlayJSON.time(noon + CivilTime.minute + 123_456) == "2026-01-01T12:01:00.123456000Z")
    }

    @Test func `a cancelled purchase omits what is false`() throws {
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [PlayPaper.january],
                [
                    PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z"),
                    PlayPaper.moment(
                        .canceled, "2026-01-20T10:00:00Z", until: "2026-02-01T10:00:00Z", renews: false,
                        by: .user(at: instant("2026-01-20T10:00:00Z"))),
                ]))
        let running = try backend.ask("token-1", at: "2026-01-10T00:00:00Z")
        let item = try #require((running["lineItems"] as? [[String: Any]])?.first)
        #expect((item["autoRenewingPlan"] as? [String: Any])?["autoRenewEnabled"] as? Bool == true)
        #expect((item["offerPhase"] as? [String: [String: String]]) == ["basePrice": [:]])
        #expect(item["latestSuccessfulOrderId"] as? String == PlayPaper.base)
        #expect(running["testPurchase"] == nil)
        let ending = try backend.ask("token-1", at: "2026-01-21T00:00:00Z")
        #expect(ending["subscriptionState"] as? String == "SUBSCRIPTION_STATE_CANCELED")
        let plan = (ending["lineItems"] as? [[String: Any]])?.first?["autoRenewingPlan"] as? [String: Any]
        #expect(plan?["autoRenewEnabled"] == nil)
        #expect(plan?["recurringPrice"] != nil)
        let user = (ending["canceledStateContext"] as? [String: [String: Any]])?["userInitiatedCancellation"]
        #expect(user?["cancelTime"] as? String == "2026-01-20T10:00:00Z")
        #expect(
            backend.books(at: "2026-01-21T00:00:00Z").playStates() == [
                "token-1 active monthly ends 2026-02-01T10:00:00Z"
            ]
        )
    }

    @Test func `the old interface tells payment states and reasons by numbers`() throws {
        let app = SimulatedApp.play(id: "acme-old", packageName: "com.acme.app", api: .v1)
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [PlayPaper.trial],
                [
                    PlayPaper.moment(
                        .active, "2026-01-01T10:00:00Z", until: "2026-01-08T10:00:00Z", order: PlayPaper.trial),
                    PlayPaper.moment(
                        .hold, "2026-01-08T10:00:00Z", until: "2026-01-08T10:00:00Z", order: PlayPaper.trial,
                        declined: "\(PlayPaper.base)..0"),
                    PlayPaper.moment(
                        .expired, "2026-02-08T10:00:00Z", until: "2026-01-08T10:00:00Z", renews: false,
                        order: PlayPaper.trial, by: .system, declined: "\(PlayPaper.base)..0"),
                ]), app: app)
        let ask = { (now: String) in
            try backend.subscriptionV1(
                "token-1", product: "com.acme.app.monthly", app, at: instant(now), isReported: true
            ).object
        }
        let trial = try ask("2026-01-02T00:00:00Z")
        #expect(trial["paymentState"] as? Int == 2)
        #expect(trial["expiryTimeMillis"] as? String == "1767866400000")
        #expect(trial["autoRenewing"] as? Bool == true)
        let hold = try ask("2026-01-09T00:00:00Z")
        #expect(hold["paymentState"] as? Int == 0)
        #expect(hold["orderId"] as? String == "\(PlayPaper.base)..0")
        let lost = try ask("2026-02-09T00:00:00Z")
        #expect(lost["paymentState"] == nil)
        #expect(lost["cancelReason"] as? Int == 1)
        let wrong = try backend.subscriptionV1(
            "token-1", product: "com.acme.app.weekly", app, at: instant("2026-01-02T00:00:00Z"), isReported: true)
        #expect(wrong.status == 400)
    }

    @Test func `a purchase that ended more than sixty days ago is gone`() throws {
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [PlayPaper.january],
                [
                    PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z"),
                    PlayPaper.moment(
                        .expired, "2026-02-01T10:00:00Z", until: "2026-02-01T10:00:00Z", renews: false, by: .system),
                ]))
        let ask = { (now: String) in
            try backend.subscriptionV2("token-1", PlayPaper.app, at: instant(now), isReported: true)
        }
        #expect(try ask("2026-04-02T00:00:00Z").status == 200)
        #expect(try ask("2026-04-03T00:00:00Z").status == 410)
        #expect(try ask("2026-04-03T00:00:00Z").text.contains("subscriptionPurchaseNoLongerAvailable"))
        #expect(try ask("2025-12-31T00:00:00Z").status == 404)
        let order = try backend.order(
            PlayPaper.base, PlayPaper.app, at: instant("2026-04-03T00:00:00Z"), isReported: true)
        #expect(order.status == 200)
    }

    /// One unknown id fails the whole batch, and nothing of it is disclosed.
    @Test func `an unknown order fails the whole batch`() throws {
        let backend = PlayPaper.backend(
            PlayPaper.token(
                [PlayPaper.january], [PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z")])
        )
        let now = instant("2026-01-02T00:00:00Z")
        let ask = { (ids: [String]) in try backend.orders(ids, PlayPaper.app, at: now, isReported: true) }
        let failed = try ask([PlayPaper.base, "\(PlayPaper.base)..0"])
        #expect(failed.status == 404)
        #expect(failed.text.contains("\"reason\":\"notFound\""))
        #expect(backend.books(at: "2026-01-02T00:00:00Z").playRows(.disclosed) == [])
        #expect(try ask([]).status == 400)
        #expect(try ask([PlayPaper.base, PlayPaper.base]).status == 400)
        #expect(try ask((0...1_000).map { "GPA.\($0)" }).status == 400)
        let good = try ask([PlayPaper.base])
        #expect((good.object["orders"] as? [[String: Any]])?.count == 1)
        #expect(backend.books(at: "2026-01-02T00:00:00Z").playRows(.disclosed).count == 1)
    }

    /// Five voids an hour apart, by pages of two; the window counts when the store saw them.
    @Test func `voided purchases come oldest first, in pages`() throws {
        let tokens = (0..<5).map { number in
            let base = "GPA.0000-0000-0000-0000\(number)"
            var order = PlayPaper.order(
                nil, "2026-01-01T10:00:00Z", "2026-01-01T10:00:00Z", "2026-02-01T10:00:00Z", base: base)
            let at = instant("2026-01-10T00:00:00Z") - Int64(number) * CivilTime.hour
            order.refund(at: at, requestedAt: at)
            order.void = .init(at: at, seenAt: at + CivilTime.day, source: 0, reason: 0)
            return PlayPaper.token(
                "token-\(number)", [order],
                [PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z", order: order)])
        }
        let backend = PlayBackend(
            apps: [PlayPaper.app], customers: [PlayCustomer(appID: "acme-android", accountID: "a", tokens: tokens)])
        let now = instant("2026-01-20T00:00:00Z")
        var (query, found, pages) = (["type": "1", "maxResults": "2"], [String](), 0)
        repeat {
            let page = try backend.voided(query, PlayPaper.app, at: now).object
            found += (page["voidedPurchases"] as? [[String: Any]] ?? []).compactMap { $0["purchaseToken"] as? String }
            query["token"] = (page["tokenPagination"] as? [String: String])?["nextPageToken"]
            pages += 1
        } while query["token"] != nil
        #expect(found == ["token-4", "token-3", "token-2", "token-1", "token-0"])
        #expect(pages == 3)
        let millis = { (text: String) in String(instant(text) / 1_000) }
        let part = try backend.voided(
            ["type": "1", "startTime": millis("2026-01-10T22:30:00Z"), "endTime": millis("2026-01-11T00:00:00Z")],
            PlayPaper.app, at: now)
        #expect((part.object["voidedPurchases"] as? [[String: Any]])?.count == 2)
        #expect(
            try backend.voided(["startTime": millis("2026-01-10T00:00:00Z")], PlayPaper.app, at: now).object[
                "voidedPurchases"] == nil)
        let tooOld = ["type": "1", "startTime": millis("2025-12-20T00:00:00Z")]
        #expect(try backend.voided(tooOld, PlayPaper.app, at: now).status == 400)
        let inSeconds = ["type": "1", "startTime": String(now / CivilTime.second)]
        #expect(try backend.voided(inSeconds, PlayPaper.app, at: now).status == 400)
    }
}
