// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing
import Synchronization

/// Pub/Sub's endpoint: hands out what Google Play published, in no order, until it is acknowledged.
///
/// What is not acknowledged in time comes again, and now and then something comes that was acknowledged: at least once
/// is all that Pub/Sub promises. What nobody fetched for seven days of the store's clock is lost.
package final class PubSubRequestHandler: Sendable {
    private struct State {
        var acknowledged: Set<Int> = []
        /// The wall-clock millisecond until which a message is not handed out again.
        var leases: [Int: Int64] = [:]
        var deliveries: [Int: Int] = [:]
        var again: Set<Int> = []
        var deadline: Int64 = 10_000
        /// How many of the next pulls find nothing, whatever waits.
        var emptyAnswers = 0
        /// Pulls with the parameter that Pub/Sub advises against.
        var hurriedPulls = 0
    }

    static let scope = "https://www.googleapis.com/auth/pubsub"
    private static let retention = 7 * CivilTime.day

    private let apps: [SimulatedApp]
    private let published: [String: [PubSubMessages.Published]]
    private let tokens: TokenEndpoint
    private let traffic: Traffic
    private let states = Mutex<[String: State]>([:])

    init(backend: PlayBackend, tokens: TokenEndpoint, traffic: Traffic) {
        self.tokens = tokens
        self.traffic = traffic
        apps = backend.apps.filter { $0.play?.publishes == true }
        published = Dictionary(uniqueKeysWithValues: apps.map { ($0.id, Self.all(of: $0, backend.customers)) })
    }

    private static func all(of app: SimulatedApp, _ customers: [PlayCustomer]) -> [PubSubMessages.Published] {
        customers.filter { $0.appID == app.id }.flatMap(\.tokens).flatMap { token in
            token.notifications.map { (token.token, $0) }
        }.sorted { ($0.1.at, $0.0) < ($1.1.at, $1.0) }.enumerated().map { number, it in
            PubSubMessages.Published(
                number: number, packageName: app.bundleID, token: it.0, notification: it.1)
        }
    }

    /// `projects/NAME/subscriptions/NAME` of an app.
    package static func subscription(of app: String) -> String { "projects/simulated/subscriptions/\(app)-rtdn" }

    /// Messages that were published by then, are kept, and wait to be acknowledged.
    package func waiting(of app: String, at now: Int64) -> Int {
        let state = states.withLock { $0[app] ?? State() }
        return kept(of: app, at: now).count { !state.acknowledged.contains($0.number) }
    }

    /// How long a message that was handed out is held back, in milliseconds of the wall clock; 10,000 at first.
    package func setDeadline(milliseconds: Int64, of app: String) {
        states.withLock { $0[app, default: State()].deadline = milliseconds }
    }

    /// The next so many pulls find nothing, though messages wait: an empty answer proves no empty queue.
    package func answerEmptily(_ count: Int, of app: String) {
        states.withLock { $0[app, default: State()].emptyAnswers = count }
    }

    /// How many pulls asked to be answered at once (`returnImmediately`, deprecated).
    package func hurriedPulls(of app: String) -> Int { states.withLock { $0[app]?.hurriedPulls ?? 0 } }

    /// Hands out so many of the acknowledged messages once more, the newest ones.
    package func repeatAcknowledged(_ count: Int, of app: String) {
        states.withLock { states in
            states[app, default: State()].again = Set((states[app]?.acknowledged ?? []).sorted().suffix(count))
        }
    }

    private func kept(of app: String, at now: Int64) -> ArraySlice<PubSubMessages.Published> {
        let all = published[app] ?? []
        let end = all.firstIndex { $0.notification.at > now } ?? all.endIndex
        let start = all.firstIndex { $0.notification.at > now - Self.retention } ?? all.endIndex
        return all[min(start, end)..<end]
    }

    /// The answer of `/v1/{subscription}:verb`. `now`: the store's clock.
    func answer(_ request: StoreRequest, path: [String], at now: Int64) throws -> StoreResponse {
        let name = path.dropFirst().map { $0.removingPercentEncoding ?? $0 }.joined(separator: "/")
        let wall = Traffic.now
        let bearer = TokenEndpoint.bearer(request.authorization)
        guard let owner = tokens.app(of: bearer, for: Self.scope, now: wall / 1_000) else {
            traffic.quotas.countUnauthorized()
            return GoogleError.badCredentials
        }
        _ = traffic.quotas.refusal(of: "pubsub", app: owner, at: wall)
        let app = apps.first { name.hasPrefix(Self.subscription(of: $0.id) + ":") }
        guard let app else {
            return GoogleError.answer(404, "notFound", "Resource not found.", domain: "global", word: "NOT_FOUND")
        }
        guard app.id == owner else {
            return GoogleError.answer(
                403, "forbidden", "User not authorized to perform this action.", domain: "global",
                word: "PERMISSION_DENIED")
        }
        if let fault = traffic.faults.next(at: "pubsub") {
            return fault.applied(to: StoreResponse(status: 200, body: Array("{}".utf8)), by: .google(.tooMany))
        }
        return try serve(name.split(separator: ":").last ?? "", app.id, Data(request.body), now, wall)
    }

    private func serve(
        _ verb: Substring, _ app: String, _ body: Data, _ now: Int64, _ wall: Int64
    ) throws -> StoreResponse {
        switch verb {
        case "pull":
            guard let request = try? JSONDecoder().decode(PubSubMessages.PullRequest.self, from: body),
                let most = request.maxMessages, most > 0
            else { return GoogleError.invalidToken }
            guard !staysEmpty(request, of: app) else { return try .json([:] as WireObject) }
            return try pull(min(most, 1_000), of: app, now, wall)
        case "acknowledge", "modifyAckDeadline":
            guard let request = try? JSONDecoder().decode(PubSubMessages.AckRequest.self, from: body) else {
                return GoogleError.invalidToken
            }
            settle(request, of: app, until: verb == "acknowledge" ? nil : wall)
            return try .json([:] as WireObject)
        default: return GoogleError.notFound
        }
    }

    private func staysEmpty(_ request: PubSubMessages.PullRequest, of app: String) -> Bool {
        states.withLock { states in
            var state = states[app] ?? State()
            defer { states[app] = state }
            state.hurriedPulls += request.returnImmediately == true ? 1 : 0
            guard state.emptyAnswers > 0 else { return false }
            state.emptyAnswers -= 1
            return true
        }
    }

    private func pull(_ most: Int, of app: String, _ now: Int64, _ wall: Int64) throws -> StoreResponse {
        let kept = kept(of: app, at: now)
        let chosen = states.withLock { states -> [(PubSubMessages.Published, Int)] in
            var state = states[app] ?? State()
            let ready = kept.filter {
                state.again.contains($0.number)
                    || (!state.acknowledged.contains($0.number) && state.leases[$0.number, default: 0] <= wall)
            }
            let chosen = ready.sorted { Self.disorder($0.number) < Self.disorder($1.number) }.prefix(most)
            for message in chosen {
                state.leases[message.number] = wall + state.deadline
                state.deliveries[message.number, default: 0] += 1
                state.again.remove(message.number)
            }
            states[app] = state
            return chosen.map { ($0, state.deliveries[$0.number, default: 0]) }
        }
        let received = try chosen.map { try $0.0.received($0.1) }
        return try .json(["receivedMessages": received.isEmpty ? nil : received] as WireObject)
    }

    /// An order that is nobody's: messages come as they like.
    private static func disorder(_ number: Int) -> UInt64 { UInt64(number) &* 0x9E37_79B9_7F4A_7C15 }

    /// An id of an earlier delivery is too late to count. `wall`: nil acknowledges, else the new deadline counts from it.
    private func settle(_ request: PubSubMessages.AckRequest, of app: String, until wall: Int64?) {
        states.withLock { states in
            for id in request.ackIds {
                let parts = id.split(separator: "-").compactMap { Int($0) }
                guard parts.count == 2, states[app]?.deliveries[parts[0]] == parts[1] else { continue }
                if let wall {
                    states[app]?.leases[parts[0]] = wall + (request.ackDeadlineSeconds ?? 0) * 1_000
                } else {
                    states[app]?.acknowledged.insert(parts[0])
                }
            }
        }
    }
}
