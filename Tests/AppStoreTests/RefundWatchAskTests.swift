// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import TestSupport
import Testing

@testable import AppStore

/// The refund watch: what is asked of a subscription when nothing but its refunds is in question.
@Suite(.hangLimit) struct RefundWatchAskTests {
    private static func watched(
        _ known: [KnownPeriod], state: SubscriptionState = .active, cursor: String? = "r7",
        reach: HistoryReach = .fromCursor
    ) -> DueSubscription {
        let plain = Acme.due()
        var snapshot = SubscriptionSnapshot(
            state: state, stateRaw: state == .active ? "1" : "2", productID: "gold.month", autoRenew: true,
            expiresAt: Instant(milliseconds: Rows.april), lastCheckedAt: Acme.now - .days(9))
        snapshot.endReason = state == .expired ? .voluntary : nil
        return DueSubscription(
            key: plain.key, lineageKey: plain.key, appID: plain.appID, storeKey: plain.storeKey,
            environment: .production, accountID: nil, productID: nil, country: nil, snapshot: snapshot,
            historyCursor: cursor, historyReach: reach, wantsOnlyRefunds: true, receipt: nil, known: known)
    }

    private static func givenBack(
        _ kind: RefundKind, at: Int64 = Rows.signed - 1_000, micros: Int64? = nil
    ) -> KnownPeriod {
        KnownPeriod(
            PeriodFacts(
                transactionID: "2002", periodKey: "9002", productID: "gold.month",
                purchasedAt: Instant(milliseconds: Rows.march), start: Instant(milliseconds: Rows.march),
                end: Instant(milliseconds: Rows.april)), kind: .renewal,
            refund: RefundFacts(at: Instant(milliseconds: at), kind: kind, micros: micros))
    }

    private static func changes(
        _ rows: [[String: Any]], revision: String = "r8", hasMore: Bool = false
    ) throws -> String {
        ServerTalk.text(try Rows.history(rows, revision: revision, hasMore: hasMore))
    }

    @Test
    func `B8: the refund watch of a running subscription is one call of the history from its cursor`() async throws {
        let empty = try Self.changes([])
        let due = Self.watched([Acme.known()])
        let (result, paths, store) = try await ServerTalk.ask(due) { _, _ in .init(200, empty) }
        #expect(paths == ["/inApps/v2/history/2001?sort=ASCENDING&revision=r7"])
        let observation = try #require(try store.read(try result.get()).observations.first)
        #expect(observation.status?.state == .active)
        #expect(observation.status?.expiresAt == Instant(milliseconds: Rows.april))
        #expect(observation.status?.raw == "1")
        #expect(observation.status?.autoRenew == true)
        #expect(observation.historyCursor == "r8")
        #expect(observation.periods.isEmpty)
    }

    /// A refund in part, one of an older purchase, of another subscription, of a one-time product, a refund that vanished,
    /// and a price that is known at last: nothing of it is in a status.
    @Test(arguments: ["partial", "vanished", "price", "other", "one-time"])
    func `B6: whatever the watched history reports is booked, and the status is asked`(what: String) async throws {
        let row =
            switch what {
            case "partial":
                Rows.transaction([
                    "revocationDate": Rows.signed - 1_000, "revocationType": "REFUND_PRORATED",
                    "revocationPercentage": 40_000,
                ])
            case "other":
                Rows.transaction(["transactionId": "3001", "originalTransactionId": "3001", "revocationDate": 1])
            case "one-time":
                Rows.transaction([
                    "transactionId": "4001", "originalTransactionId": "4001", "webOrderLineItemId": nil,
                    "type": "Consumable", "expiresDate": nil, "revocationDate": Rows.signed - 1_000,
                ])
            default: Rows.transaction()
            }
        let (page, statuses) = (try Self.changes([row]), ServerTalk.text(try Rows.statuses()))
        let known = what == "vanished" ? Self.givenBack(.full) : Acme.known()
        let (result, paths, store) = try await ServerTalk.ask(Self.watched([known], state: .expired)) { request, _ in
            .init(200, request.path.contains("/history/") ? page : statuses)
        }
        #expect(paths == ["/inApps/v2/history/2001?sort=ASCENDING&revision=r7", "/inApps/v1/subscriptions/2001"])
        let answer = try result.get()
        #expect(answer.documents.map(\.endpoint) == ["statuses", "history"])
        let reading = try store.read(answer)
        // The state is the store's own word again.
        #expect(reading.observations.first?.status?.state == .active)
        #expect(reading.observations.first?.historyCursor == "r8")
        let id = row["transactionId"] as? String
        #expect(reading.observations.flatMap(\.periods).contains { $0.transactionID == id })
    }

    /// The store does not promise to list a reversal, returned seats or an extension behind the cursor.
    @Test(arguments: ["r7", nil] as [String?])
    func `B6: the last look at a charge reads the history from its beginning`(cursor: String?) async throws {
        let (page, statuses) = (try Self.changes([Rows.transaction()]), ServerTalk.text(try Rows.statuses()))
        let due = Self.watched([Self.givenBack(.full)], state: .expired, cursor: cursor, reach: .fromBeginning)
        let (result, paths, store) = try await ServerTalk.ask(due) { request, _ in
            .init(200, request.path.contains("/history/") ? page : statuses)
        }
        #expect(paths == ["/inApps/v1/subscriptions/2001", "/inApps/v2/history/2001?sort=ASCENDING"])
        let observation = try #require(try store.read(try result.get()).observations.first)
        #expect(observation.historyCursor == "r8")
        #expect(observation.periods.map(\.refund) == [nil])
    }

    @Test(arguments: ["stale", "circle"])
    func `B8: a watched history that cannot be read is asked for with the status`(what: String) async throws {
        let (page, statuses) = (try Self.changes([]), ServerTalk.text(try Rows.statuses()))
        let circle = try Self.changes([], revision: "r7", hasMore: true)
        let (_, paths, _) = try await ServerTalk.ask(Self.watched([Acme.known()])) { request, number in
            if number == 1 {
                return what == "stale"
                    ? .init(400, #"{"errorCode":4000005,"errorMessage":"No."}"#) : .init(200, circle)
            }
            return .init(200, request.path.contains("/history/") ? page : statuses)
        }
        #expect(paths.suffix(2).first == "/inApps/v1/subscriptions/2001")
        #expect(paths.last == "/inApps/v2/history/2001?sort=ASCENDING&revision=r7")
    }

    @Test func `B8: where there is no cursor, the refund history is enough when it reports what we know`() async throws
    {
        let refund = Rows.transaction(["revocationDate": Rows.signed - 1_000])
        let page = ServerTalk.text(try Rows.history([refund], revision: "x"))
        let due = Self.watched([Self.givenBack(.full)], state: .expired, cursor: nil)
        let (result, paths, store) = try await ServerTalk.ask(due) { _, _ in .init(200, page) }
        #expect(paths == ["/inApps/v2/refund/lookup/2001"])
        let observation = try #require(try store.read(try result.get()).observations.first)
        #expect(observation.status?.state == .expired)
        #expect(observation.status?.endReason == .voluntary)
        #expect(observation.historyCursor == nil)
    }

    /// A new refund, one at another instant, one that vanished, one that may have grown, one of another purchase, more
    /// pages, and a failure.
    @Test(arguments: ["new", "moved", "vanished", "revoked", "partial", "other", "pages", "unreadable", "unknown"])
    func `B8: something new in the refund history requests statuses and history`(what: String) async throws {
        let refund = Rows.transaction(["revocationDate": Rows.signed - 1_000])
        let other = Rows.transaction(["originalTransactionId": "3001", "transactionId": "3001", "revocationDate": 1])
        let rows = ["vanished", "revoked"].contains(what) ? [] : what == "other" ? [refund, other] : [refund]
        var page = ServerTalk.text(try Rows.history(rows, revision: "x", hasMore: what == "pages"))
        if what == "unreadable" { page = #"{"hasMore":false,"signedTransactions":["a.b.c"]}"# }
        let known =
            switch what {
            case "new": Acme.known()
            case "moved": Self.givenBack(.full, at: Rows.signed - 2_000)
            case "partial": Self.givenBack(.partial)
            // Money went back before it was taken away, which the store may have taken back since.
            case "revoked": Self.givenBack(.revoke, micros: 1_000_000)
            default: Self.givenBack(.full)
            }
        let (body, statuses) = (page, ServerTalk.text(try Rows.statuses()))
        let history = ServerTalk.text(try Rows.history([refund], revision: "r8"))
        let (result, paths, _) = try await ServerTalk.ask(Self.watched([known], cursor: nil)) { request, _ in
            switch request.path {
            case let path where path.contains("/refund/"): what == "unknown" ? ServerTalk.unknown : .init(200, body)
            case let path where path.contains("/history/"): .init(200, history)
            default: .init(200, statuses)
            }
        }
        #expect(
            paths == [
                "/inApps/v2/refund/lookup/2001", "/inApps/v1/subscriptions/2001",
                "/inApps/v2/history/2001?sort=ASCENDING",
            ])
        #expect(try result.get().documents.map(\.endpoint) == ["statuses", "history"])
    }

    @Test(arguments: [nil, "r7"] as [String?])
    func `a 401 of the watched history stops the app`(cursor: String?) async throws {
        let (result, paths, _) = try await ServerTalk.ask(Self.watched([Acme.known()], cursor: cursor)) { _, _ in
            .init(401)
        }
        #expect(result.failure?.kind == .credential)
        #expect(paths.count == 1)
    }
}
