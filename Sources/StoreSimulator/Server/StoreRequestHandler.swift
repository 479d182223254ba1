// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Finds out which store a request is for, and has that one answer it.
package struct StoreRequestHandler: Sendable {
    let backend: AppStoreBackend
    let traffic: Traffic
    let play: PlayRequestHandler
    let pubSub: PubSubRequestHandler
    private let appStore: AppStoreRequestHandler

    init(backend: AppStoreBackend, traffic: Traffic) {
        let tokens = TokenEndpoint(accounts: backend.keys.play)
        (self.backend, self.traffic) = (backend, traffic)
        appStore = AppStoreRequestHandler(backend: backend, traffic: traffic)
        play = PlayRequestHandler(backend: backend.play, tokens: tokens, traffic: traffic)
        pubSub = PubSubRequestHandler(backend: backend.play, tokens: tokens, traffic: traffic)
    }

    package func answer(_ request: StoreRequest) -> StoreResponse {
        let parts = request.path.split(separator: "/").map(String.init)
        let isSandbox = parts.first == "sandbox"
        let path = isSandbox ? Array(parts.dropFirst()) : parts
        do {
            switch (path.first, path.count) {
            case ("androidpublisher", _): return try play.answer(request, path: path, at: backend.clock)
            case ("v1", 5) where path[1] == "projects": return try pubSub.answer(request, path: path, at: backend.clock)
            case ("token", 1): return try play.token(request)
            default: return try appStore.answer(request, path: path, in: isSandbox ? .sandbox : .production)
            }
        } catch {
            return StoreResponse(status: 500, body: Array("\(error)".utf8))
        }
    }
}

/// For whoever drives the store from another process.
extension StoreRequestHandler {
    /// The store's clock, in microseconds since the Unix epoch.
    package var clock: Int64 { backend.clock }
    package func setClock(_ now: Int64) { backend.setClock(now) }
    /// The requests of each endpoint so far.
    package var counters: Quotas.Counters { traffic.quotas.counters }

    /// First purchases and repurchases after `since`, up to `until`, one JSON text a line.
    package func registrations(since: Int64, until: Int64) throws -> String {
        try SimulatedStores.jsonLines(backend.registrations(since: since, until: until))
    }
}

/// What every request goes by: the limits of its endpoint, and what goes wrong there on request.
struct Traffic: Sendable {
    let quotas: Quotas
    let faults: Faults

    /// The wall clock, in milliseconds since the Unix epoch.
    static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}
