// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// One connection through a proxy: a thread for each direction.
final class ProxiedConnection: Sendable {
    private struct State {
        var isSilent = false
        var losesAnswer = false
        /// How many more bytes the server may say.
        var allowance: Int?
    }

    private let client: LoopbackConnection
    private let server: LoopbackConnection
    private let traffic: ProxyTraffic
    private let state: Mutex<State>

    init(client: LoopbackConnection, server: LoopbackConnection, traffic: ProxyTraffic) {
        (self.client, self.server, self.traffic) = (client, server, traffic)
        state = Mutex(State(allowance: traffic.limit))
    }

    func start() {
        for direction in CuttingProxy.Direction.allCases {
            Thread { self.pass(direction) }.start()
        }
    }

    func cut() {
        server.stop()
        client.stop()
    }

    private func pass(_ direction: CuttingProxy.Direction) {
        let (from, to) = direction == .toServer ? (client, server) : (server, client)
        while let bytes = from.receive() {
            traffic.waitUntilThawed()
            // What is said over a silent connection is lost; that it is said is all that its ends notice.
            if state.withLock({ $0.isSilent }) { continue }
            if direction == .toClient, state.withLock({ $0.losesAnswer }) { break }
            let verdict = traffic.verdict(of: bytes, direction)
            // The server may answer before the words are wholly through.
            if verdict.fault == .answerLost { state.withLock { $0.losesAnswer = true } }
            guard to.send(allowed(Array(bytes.prefix(verdict.passed)), direction)), happens(verdict.fault) else {
                break
            }
        }
        if !state.withLock({ $0.isSilent }) { cut() }
    }

    /// What of these bytes goes through; past the allowance the connection is over.
    private func allowed(_ bytes: [UInt8], _ direction: CuttingProxy.Direction) -> [UInt8] {
        guard direction == .toClient else { return bytes }
        return state.withLock { state in
            guard let left = state.allowance else { return bytes }
            state.allowance = max(0, left - bytes.count)
            return Array(bytes.prefix(left))
        }
    }

    /// False where nothing more is passed on this way.
    private func happens(_ fault: CuttingProxy.Fault?) -> Bool {
        switch fault {
        case nil, .answerLost: break
        case .cut: return false
        case .silence: state.withLock { $0.isSilent = true }
        case .serverLost:
            state.withLock { $0.isSilent = true }
            server.stop()
        }
        return state.withLock { $0.allowance != 0 }
    }
}
