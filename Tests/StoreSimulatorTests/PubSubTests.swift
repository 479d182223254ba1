// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Testing

@testable import StoreSimulator

/// Google Play's notifications behind Pub/Sub's endpoint: which are published, and that each comes at least once.
@Suite struct PubSubTests {
    private static let app = SimulatedApp.play(id: "acme-android", packageName: "com.acme.app", publishes: true)
    private static let subscription = "v1/projects/simulated/subscriptions/acme-android-rtdn"

    /// One month bought, cancelled on the 10th, taken back on the 12th, renewed: 4, 3, 7, 2.
    private static let customer = PlayCustomer(
        appID: app.id, accountID: "account-1", market: .germany,
        tokens: [
            PlayPaper.token(
                [PlayPaper.january, PlayPaper.february],
                [
                    PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z"),
                    PlayPaper.moment(
                        .canceled, "2026-01-10T10:00:00Z", until: "2026-02-01T10:00:00Z", renews: false,
                        by: .user(at: instant("2026-01-10T10:00:00Z"))),
                    PlayPaper.moment(.active, "2026-01-12T10:00:00Z", until: "2026-02-01T10:00:00Z"),
                    PlayPaper.moment(
                        .active, "2026-02-01T08:00:00Z", until: "2026-03-01T10:00:00Z", order: PlayPaper.february),
                ])
        ])

    private struct Pulled {
        let ackIDs: [String]
        let messageIDs: [String]
        /// By number, in the order of time.
        let types: [Int]
    }

    private static func post(
        _ door: PlayServer, _ verb: String, _ body: String, bearer: String, to name: String = subscription
    ) async throws -> (status: Int, object: [String: Any]) {
        let response = try await door.http.send(
            HTTPRequest(
                method: .post, url: "\(door.stores.baseURL)/\(name):\(verb)", route: "/",
                headers: [("Authorization", "Bearer \(bearer)"), ("Content-Type", "application/json")],
                body: Array(body.utf8)))
        let object = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
        return (response.status, object ?? [:])
    }

    private static func pull(_ door: PlayServer, bearer: String, most: Int = 100) async throws -> Pulled {
        let answer = try await post(door, "pull", "{\"maxMessages\":\(most)}", bearer: bearer).object
        let received = answer["receivedMessages"] as? [[String: Any]] ?? []
        let events = try received.map { item -> (time: String, type: Int) in
            let message = try #require(item["message"] as? [String: Any])
            let data = try #require(Data(base64Encoded: message["data"] as? String ?? ""))
            let event = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            #expect(event["packageName"] as? String == "com.acme.app")
            let news = try #require(event["subscriptionNotification"] as? [String: Any])
            #expect(news["purchaseToken"] as? String == "token-1")
            return (event["eventTimeMillis"] as? String ?? "", news["notificationType"] as? Int ?? 0)
        }
        return Pulled(
            ackIDs: received.compactMap { $0["ackId"] as? String },
            messageIDs: received.compactMap { ($0["message"] as? [String: Any])?["messageId"] as? String },
            types: events.sorted { $0.time < $1.time }.map(\.type))
    }

    private static func acknowledge(_ door: PlayServer, _ ids: [String], bearer: String) async throws {
        let body = String(decoding: try JSONEncoder().encode(["ackIds": ids]), as: UTF8.self)
        #expect(try await post(door, "acknowledge", body, bearer: bearer).status == 200)
    }

    @Test func `C2: what happened until now is handed out once, and again if not acknowledged in time`() async throws {
        try await PlayServer.with([Self.customer], apps: [Self.app], clock: "2026-01-08T00:00:00Z") { door in
            let bearer = try await door.consent(Self.app)
            #expect(try await Self.pull(door, bearer: bearer).types == [4])
            door.stores.setClock(instant("2026-01-15T00:00:00Z"))
            // The first one waits for its acknowledgement, and is gone after its seven days.
            let second = try await Self.pull(door, bearer: bearer)
            #expect(second.types == [3, 7])
            #expect(try await Self.pull(door, bearer: bearer).types == [])
            door.stores.pubSub.setDeadline(milliseconds: 0, of: Self.app.id)
            try await Self.acknowledge(door, [second.ackIDs[0]], bearer: bearer)
            let body = "{\"ackIds\":[\"\(second.ackIDs[1])\"],\"ackDeadlineSeconds\":0}"
            #expect(try await Self.post(door, "modifyAckDeadline", body, bearer: bearer).status == 200)
            let again = try await Self.pull(door, bearer: bearer)
            #expect(again.messageIDs == [second.messageIDs[1]] && again.ackIDs != [second.ackIDs[1]])
            // An id of the earlier delivery comes too late.
            try await Self.acknowledge(door, [second.ackIDs[1]], bearer: bearer)
            let third = try await Self.pull(door, bearer: bearer)
            #expect(third.messageIDs == again.messageIDs)
            try await Self.acknowledge(door, third.ackIDs, bearer: bearer)
            #expect(try await Self.pull(door, bearer: bearer).types == [])
            #expect(door.stores.pubSub.waiting(of: Self.app.id, at: instant("2026-01-15T00:00:00Z")) == 0)
            door.stores.pubSub.repeatAcknowledged(1, of: Self.app.id)
            #expect(try await Self.pull(door, bearer: bearer).types.count == 1)
        }
    }

    @Test
    func `C2: empty answers between messages prove nothing; asking for an answer at once is counted`() async throws {
        try await PlayServer.with([Self.customer], apps: [Self.app], clock: "2026-01-08T00:00:00Z") { door in
            let bearer = try await door.consent(Self.app)
            door.stores.pubSub.answerEmptily(3, of: Self.app.id)
            for _ in 0..<3 { #expect(try await Self.pull(door, bearer: bearer).types == []) }
            #expect(door.stores.pubSub.waiting(of: Self.app.id, at: instant("2026-01-08T00:00:00Z")) == 1)
            #expect(try await Self.pull(door, bearer: bearer).types == [4])
            #expect(door.stores.pubSub.hurriedPulls(of: Self.app.id) == 0)
            let body = "{\"maxMessages\":1,\"returnImmediately\":true}"
            #expect(try await Self.post(door, "pull", body, bearer: bearer).status == 200)
            #expect(door.stores.pubSub.hurriedPulls(of: Self.app.id) == 1)
        }
    }

    @Test
    func `C2: only so many at a time, only to who may, and what nobody fetched for seven days is lost`() async throws {
        try await PlayServer.with([Self.customer], apps: [Self.app], clock: "2026-02-02T00:00:00Z") { door in
            let bearer = try await door.consent(Self.app)
            #expect(door.stores.pubSub.waiting(of: Self.app.id, at: instant("2026-01-13T00:00:00Z")) == 2)
            #expect(try await Self.pull(door, bearer: bearer).types == [2])
            #expect(try await Self.post(door, "pull", "{\"maxMessages\":0}", bearer: bearer).status == 400)
            #expect(try await Self.post(door, "pull", "{\"maxMessages\":1}", bearer: "ya29.none").status == 401)
            let other = "v1/projects/simulated/subscriptions/other"
            #expect(try await Self.post(door, "pull", "{\"maxMessages\":1}", bearer: bearer, to: other).status == 404)
            // A service account's token opens what it was asked for, and nothing else.
            var narrow = try door.assertion(Self.app)
            narrow.scope = "https://www.googleapis.com/auth/pubsub"
            let token = try #require(try await door.assert(try narrow.text()).object["access_token"] as? String)
            #expect(try await Self.post(door, "pull", "{\"maxMessages\":1}", bearer: token).status == 200)
            #expect(try await door.get("orders/\(PlayPaper.base)", bearer: token).status == 401)
            var plain = try door.assertion(Self.app)
            plain.scope = AssertionVerifier.scope
            let other2 = try #require(try await door.assert(try plain.text()).object["access_token"] as? String)
            #expect(try await Self.post(door, "pull", "{\"maxMessages\":1}", bearer: other2).status == 401)
        }
    }

    /// Each number with the life that makes it, worked out from Google's list.
    @Test func `C3: each event of a life is published under its own number`() {
        let declined = "\(PlayPaper.base)..0"
        let first = PlayPaper.moment(.active, "2026-01-01T10:00:00Z", until: "2026-02-01T10:00:00Z")
        let changed = { (change: (inout PlayMoment) -> Void) in
            var moment = PlayPaper.moment(.active, "2026-01-20T10:00:00Z", until: "2026-02-01T10:00:00Z")
            change(&moment)
            return moment
        }
        func numbers(_ moments: PlayMoment...) -> [Int] {
            PlayPaper.token([PlayPaper.january], moments).notifications.map {
                if case .subscription(let kind) = $0.content { kind.rawValue } else { 0 }
            }
        }
        let (at, end) = ("2026-02-01T10:00:00Z", "2026-02-04T10:00:00Z")
        let hold = PlayPaper.moment(.hold, end, until: at, declined: declined)
        #expect(numbers(first, PlayPaper.moment(.grace, at, until: end, declined: declined), hold) == [4, 6, 5])
        let back = PlayPaper.moment(
            .active, "2026-02-10T10:00:00Z", until: "2026-03-10T10:00:00Z", order: PlayPaper.february)
        #expect(numbers(first, hold, back) == [4, 5, 1])
        let planned = changed { $0.resumesAt = instant("2026-03-01T10:00:00Z") }
        #expect(numbers(first, planned, PlayPaper.moment(.paused, at, until: at)) == [4, 11, 10])
        #expect(numbers(first, changed { $0.items[0].expiresAt += CivilTime.day }) == [4, 9])
        #expect(numbers(first, changed { $0.items[0].isToBeRemoved = true }) == [4, 17])
        let price = PlayPriceChange(mode: .optIn, state: .outstanding, newMicros: 9_990_000)
        #expect(numbers(first, changed { $0.items[0].priceChange = price }) == [4, 19])
        let consent = PlayStepUp(state: .pending, newMicros: 9_990_000, deadline: instant(at))
        #expect(numbers(first, changed { $0.items[0].stepUp = consent }) == [4, 22])
        let plan = PlayInstalments(initial: 3, remaining: 2, isCancellationPending: true)
        #expect(numbers(first, changed { $0.items[0].instalments = plan }) == [4, 18])
        let pending = PlayPaper.moment(.pending, "2026-01-01T10:00:00Z", until: at)
        #expect(numbers(pending, changed { _ in }) == [4])
        #expect(numbers(pending, PlayPaper.moment(.pendingCanceled, "2026-01-02T10:00:00Z", until: at)) == [20])
        #expect(numbers(first, PlayPaper.moment(.expired, at, until: at, renews: false, by: .system)) == [4, 13])
        var order = PlayPaper.january
        order.refund(at: instant("2026-01-10T12:00:00Z"), requestedAt: instant("2026-01-10T12:00:00Z"))
        order.void = .init(
            at: instant("2026-01-10T12:00:00Z"), seenAt: instant("2026-01-10T20:00:00Z"), source: 1, reason: 1)
        let revoked = PlayPaper.token(
            [order],
            [
                first,
                PlayPaper.moment(
                    .expired, "2026-01-10T12:00:00Z", until: "2026-01-10T12:00:00Z", renews: false, by: .developer),
            ])
        #expect(
            revoked.notifications.map(\.content) == [
                .subscription(.purchased), .subscription(.revoked), .voided(orderID: PlayPaper.base),
            ])
    }
}
