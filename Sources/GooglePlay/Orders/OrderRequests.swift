// SPDX-License-Identifier: Apache-2.0

import Foundations
import HTTP
import Model
import Stores

/// Asks for orders, a hundred in a request.
///
/// One unknown id fails a whole request, so a refused one is halved until the ids that the store does not know are
/// alone.
struct OrderRequests: Sendable {
    /// What became of one id.
    enum Outcome: Sendable {
        /// The order's own JSON.
        case found([UInt8])
        case unknown
        case failed(StoreFailure)
    }

    static let batchSize = 100

    let connection: PlayConnection
    /// `/androidpublisher/v3/applications/{package}`, encoded.
    let applicationPath: String

    /// What became of each id; all of them are asked for at once, as far as the client lets them.
    ///
    /// - Throws: only what stops the app.
    func fetch(
        _ ids: [String], through client: ThrottledClient
    ) async throws(StoreFailure) -> [String: Outcome] {
        let starts = stride(from: 0, to: ids.count, by: Self.batchSize)
        let batches = starts.map { Array(ids[$0..<min($0 + Self.batchSize, ids.count)]) }
        let result = await withTaskGroup(of: [String: Outcome].self) { group in
            for batch in batches { group.addTask { await ask(batch, through: client) } }
            var all: [String: Outcome] = [:]
            var stopped: StoreFailure?
            for await outcomes in group {
                all.merge(outcomes) { first, _ in first }
                guard let failure = outcomes.values.lazy.compactMap(\.stop).first else { continue }
                if stopped == nil || stopped?.kind == .cancelled { stopped = failure }
                group.cancelAll()
            }
            return stopped.map { Result<[String: Outcome], StoreFailure>.failure($0) } ?? .success(all)
        }
        return try result.get()
    }

    private func ask(_ ids: [String], through client: ThrottledClient) async -> [String: Outcome] {
        let query = ids.map { "orderIds=\(URLPath.encode(segment: $0))" }.joined(separator: "&")
        do throws(StoreFailure) {
            let response = try await connection.get(
                "\(applicationPath)/orders:batchGet?\(query)", route: "/applications/{package}/orders:batchGet",
                at: PlayEndpoints.orders, through: client)
            return Self.split(response.body, among: ids)
        } catch {
            switch error.kind {
            case .notFound, .gone: return await halved(ids, through: client)
            default: return Dictionary(uniqueKeysWithValues: ids.map { ($0, .failed(error)) })
            }
        }
    }

    private func halved(_ ids: [String], through client: ThrottledClient) async -> [String: Outcome] {
        guard ids.count > 1 else { return Dictionary(uniqueKeysWithValues: ids.map { ($0, .unknown) }) }
        let middle = ids.count / 2
        let first = await ask(Array(ids[..<middle]), through: client)
        if first.values.contains(where: { $0.stop != nil }) { return first }
        return first.merging(await ask(Array(ids[middle...]), through: client)) { first, _ in first }
    }

    /// Each order by itself, so that an answer contains its own orders and no others.
    private static func split(_ body: [UInt8], among ids: [String]) -> [String: Outcome] {
        var outcomes = [String: Outcome](uniqueKeysWithValues: ids.map { ($0, .unknown) })
        guard let batch = JSONDocument(body), batch.root.members != nil,
            let orders = batch.root["orders"].map(\.elements) ?? []
        else { return outcomes.mapValues { _ in .failed(.unreadableByPlay) } }
        for order in orders {
            guard let id = order["orderId"].flatMap(batch.text), outcomes[id] != nil else { continue }
            outcomes[id] = .found(batch.compact(order))
        }
        return outcomes
    }
}

extension OrderRequests.Outcome {
    /// What stops the app.
    fileprivate var stop: StoreFailure? {
        if case .failed(let failure) = self, failure.stopsApp { failure } else { nil }
    }
}
