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

    private struct PullRequest: Decodable {
        let maxMessages: Int?
        /// Deprecated.
        let returnImmediately: Bool?
    }

    private struct AckRequest: Decodable {
        let ackIds: [String]
        let ackDeadlineSeconds: Int64?
    }

    static let scope = "https://www.googleapis.com/auth/pubsub"
    private static let retention = 7 * CivilTime.day

    private let apps: [SimulatedApp]
    private let published: [String: [PublishedNotification]]
    private let tokens: TokenEndpoint
    private let traffic: Traffic
    private let states = Mutex<[String: State]>([:])

    init(backend: PlayBackend, tokens: TokenEndpoint, traffic: Traffic) {
        self.tokens = tokens
        self.traffic = traffic
        apps = backend.apps.filter { $0.play?.publishes == true }
        published = Dictionary(uniqueKeysWithValues: apps.map { ($0.id, Self.all(of: $0, backend.customers)) })
    }

    private static func all(of app: SimulatedApp, _ customers: [PlayCustomer]) -> [PublishedNotification] {
        customers.filter { $0.appID == app.id }.flatMap(\.tokens).flatMap { token in
            token.notifications.map { (token.token, $0) }
        }.sorted { ($0.1.at, $0.0) < ($1.1.at, $1.0) }.enumerated().map { number, it in
            PublishedNotification(number: number, packageName: app.bundleID, token: it.0, notification: it.1)
        }
    }

    /// `projects/NAME/subscriptions/NAME` of an app.
    package static func subscription(of app: String) -> String { "projects/simulated/subscriptions/\(app)-rtdn" }

    /// Messages that were published by then, are kept, and wait to be acknowledged.
    package func waiting(of app: String, at now: Int64) -> Int {
        let acknowledged = change(app) { $0.acknowledged }
        return kept(of: app, at: now).count { !acknowledged.contains($0.number) }
    }

    private func change<Result: Sendable>(_ app: String, _ body: (inout State) -> Result) -> Result {
        states.withLock { body(&$0[app, default: State()]) }
    }

    /// How long a message that was handed out is held back, in milliseconds of the wall clock; 10,000 at first.
    package func setDeadline(milliseconds: Int64, of app: String) {
        change(app) { $0.deadline = milliseconds }
    }

    /// The next so many pulls find nothing, though messages wait: an empty answer proves no empty queue.
    package func answerEmptily(_ count: Int, of app: String) {
        change(app) { $0.emptyAnswers = count }
    }

    /// How many pulls asked to be answered at once (`returnImmediately`, deprecated).
    package func hurriedPulls(of app: String) -> Int { change(app) { $0.hurriedPulls } }

    /// Hands out so many of the acknowledged messages once more, the newest ones.
    package func repeatAcknowledged(_ count: Int, of app: String) {
        change(app) { $0.again = Set($0.acknowledged.sorted().suffix(count)) }
    }

    private func kept(of app: String, at now: Int64) -> ArraySlice<PublishedNotification> {
        let all = published[app] ?? []
        let end = all.firstIndex { $0.notification.at > now } ?? all.endIndex
        let start = all.firstIndex { $0.notification.at > now - Self.retention } ?? all.endIndex
        return all[min(start, end)..<end]
    }

    /// The answer of `/v1/{subscription}:verb`.
    ///
    /// `now`: the store's clock.
    func answer(_ request: StoreRequest, path: [String], at now: Int64) throws -> StoreResponse {
        let name = path.dropFirst().map { $0.removingPercentEncoding ?? $0 }.joined(separator: "/")
        let wall = Traffic.now
        let bearer = TokenEndpoint.bearer(request.authorization)
        guard let owner = tokens.app(of: bearer, for: Self.scope, now: wall / 1_000) else {
            traffic.quotas.countUnauthorized()
            return GoogleError.badCredentials
        }
        _ = traffic.quotas.refusal(of: "pubsub", app: owner, at: wall)
        guard let app = apps.first(where: { name.hasPrefix(Self.subscription(of: $0.id) + ":") }) else {
            return GoogleError.answer(
                404, reason: "notFound", "Resource not found.", domain: "global", word: "NOT_FOUND")
        }
        guard app.id == owner else {
            return GoogleError.answer(
                403, reason: "forbidden", "User not authorized to perform this action.", domain: "global",
                word: "PERMISSION_DENIED")
        }
        if let fault = traffic.faults.next(at: "pubsub") {
            return fault.applied(to: try .json([:]), by: .google(.tooMany))
        }
        let verb = name.split(separator: ":").last ?? ""
        return try serve(verb, of: app.id, Data(request.body), at: now, wall: wall)
    }

    private func serve(
        _ verb: Substring, of app: String, _ body: Data, at now: Int64, wall: Int64
    ) throws -> StoreResponse {
        switch verb {
        case "pull":
            guard let request = try? JSONDecoder().decode(PullRequest.self, from: body),
                let most = request.maxMessages, most > 0
            else { return GoogleError.invalidToken }
            guard !staysEmpty(request, of: app) else { return try .json([:]) }
            return try pull(min(most, 1_000), of: app, at: now, wall: wall)
        case "acknowledge", "modifyAckDeadline":
            guard let request = try? JSONDecoder().decode(AckRequest.self, from: body) else {
                return GoogleError.invalidToken
            }
            settle(request, of: app, until: verb == "acknowledge" ? nil : wall)
            return try .json([:])
        default: return GoogleError.notFound
        }
    }

    private func staysEmpty(_ request: PullRequest, of app: String) -> Bool {
        change(app) { state in
            state.hurriedPulls += request.returnImmediately == true ? 1 : 0
            guard state.emptyAnswers > 0 else { return false }
            state.emptyAnswers -= 1
            return true
        }
    }

    private func pull(_ most: Int, of app: String, at now: Int64, wall: Int64) throws -> StoreResponse {
        let kept = kept(of: app, at: now)
        let chosen = change(app) { state -> [(message: PublishedNotification, delivery: Int)] in
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
            return chosen.map { ($0, state.deliveries[$0.number, default: 0]) }
        }
        let received = try chosen.map { try $0.message.received($0.delivery) }
        return try .json(["receivedMessages": received.isEmpty ? nil : received])
    }

    /// An order that is nobody's: messages come as they like.
    private static func disorder(_ number: Int) -> UInt64 { UInt64(number) &* 0x9E37_79B9_7F4A_7C15 }

    /// An id of an earlier delivery is too late to count.
    ///
    /// `wall`: nil acknowledges, else the new deadline counts from it.
    private func settle(_ request: AckRequest, of app: String, until wall: Int64?) {
        change(app) { state in
            for id in request.ackIds {
                let parts = id.split(separator: "-").compactMap { Int($0) }
                guard parts.count == 2, state.deliveries[parts[0]] == parts[1] else { continue }
                if let wall {
                    state.leases[parts[0]] = wall + (request.ackDeadlineSeconds ?? 0) * 1_000
                } else {
                    state.acknowledged.insert(parts[0])
                }
            }
        }
    }
}
