// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A TCP proxy on loopback between a client and a server, which passes on what they say until a test does the network some
/// harm.
///
/// A fault is planned for one place among all that is said through it: at a byte of either direction, or at words of the
/// client's. It befalls the connection that comes to that place, and no other. What is done to all connections (`cutAll`,
/// `freeze`, `refuse`) is done at once.
package final class CuttingProxy: Sendable {
    /// Which way bytes go.
    package enum Direction: Sendable, Hashable, CaseIterable {
        case toServer, toClient
    }

    /// What happens to a connection.
    package enum Fault: Sendable, Hashable {
        /// Both sides are closed: what comes before the place is passed on, what comes after it is not.
        case cut
        /// Both sides stay open, and nothing is passed on any more: half-open, the server's session waits.
        case silence
        /// The server's side is closed, and the client is told nothing: half-open, the server's session is gone.
        case serverLost
        /// The server is given what the client says, and the client is cut off when the answer to it comes.
        case answerLost
    }

    /// Where it happens, counted over all connections since the plan was made.
    package enum Place: Sendable, Hashable {
        /// That byte of those that go this way is the first that does not arrive.
        case byte(Int, Direction)
        /// The client says these words, in small letters or capitals, for the so-manieth time.
        case words(String, time: Int)
        /// `commit`, as a query by itself, for the so-manieth time.
        package static func commit(_ time: Int) -> Self { .words("commit\0", time: time) }
    }

    private struct Caller {
        weak var connection: ProxiedConnection?
    }

    private struct State {
        var server: ProxiedServer
        var listener: ListeningSocket?
        var callers: [Caller] = []
    }

    private let traffic = ProxyTraffic()
    private let state: Mutex<State>
    /// The port that clients connect to.
    package let port: UInt16

    /// Before a server on loopback.
    package convenience init(toPort server: UInt16) throws { try self.init(before: .port(server)) }

    /// Before a server that listens at a unix socket.
    package convenience init(toSocket path: String) throws { try self.init(before: .socket(path)) }

    private init(before server: ProxiedServer) throws {
        let listener = try ListeningSocket()
        state = Mutex(State(server: server))
        port = listener.port
        accept(on: listener)
    }

    deinit {
        refuse()
        cutAll()
    }

    /// How many bytes have gone that way.
    package func bytes(_ direction: Direction) -> Int { traffic.bytes(direction) }

    /// How many faults of the plan have happened.
    package var struck: Int { traffic.struck }

    /// Plans a fault, counting from now.
    ///
    /// Several may be planned, each happens once.
    package func plan(_ fault: Fault, at place: Place) { traffic.plan(fault, at: place) }

    /// Every connection is cut from now on as soon as the server has said so many bytes over it.
    package func cutEach(after bytes: Int) { traffic.limit(to: bytes) }

    /// What goes either way is late by that time, from now on.
    package func delay(by time: Duration) { traffic.delay(by: time) }

    /// Nothing is passed on any more, over old connections and new ones, and none is closed.
    package func freeze() { traffic.setFrozen(true) }

    /// What was stopped goes on, nothing of it lost.
    package func thaw() { traffic.setFrozen(false) }

    /// Every connection that is open now is closed, on both sides.
    package func cutAll() {
        for caller in state.withLock({ $0.callers }) { caller.connection?.cut() }
    }

    /// Every connection that is open now is half-open from now on: what is said over it is lost, either way, and the
    /// client is told nothing.
    ///
    /// `losingServer`: the server's side is closed, its sessions end; else they wait.
    package func silenceAll(losingServer: Bool) {
        for caller in state.withLock({ $0.callers }) { caller.connection?.silence(losingServer: losingServer) }
    }

    /// No one listens any more: who connects is refused by the system.
    ///
    /// Open connections stay.
    package func refuse() {
        state.withLock { state in
            state.listener?.stop()
            state.listener = nil
        }
    }

    /// Connections are taken again, at the same port.
    package func admit() throws {
        guard state.withLock({ $0.listener == nil }) else { return }
        accept(on: try ListeningSocket(port: port))
    }

    /// Who connects from now on comes to the server that listens at that unix socket; open connections stay where they are.
    package func redirect(toSocket path: String) { state.withLock { $0.server = .socket(path) } }

    /// The thread has no need of the proxy itself, which would live as long as it.
    private func accept(on listener: ListeningSocket) {
        state.withLock { $0.listener = listener }
        Thread { [weak self, traffic] in
            while let client = listener.next() {
                guard let peer = self?.state.withLock({ $0.server }).connect() else {
                    client.stop()
                    continue
                }
                let connection = ProxiedConnection(client: client, server: peer, traffic: traffic)
                self?.remember(connection)
                connection.start()
            }
        }.start()
    }

    private func remember(_ connection: ProxiedConnection) {
        state.withLock { state in
            state.callers.removeAll { $0.connection == nil }
            state.callers.append(Caller(connection: connection))
        }
    }
}

/// Where a proxy's server listens.
enum ProxiedServer: Sendable {
    case port(UInt16)
    case socket(String)

    func connect() -> LoopbackConnection? {
        switch self {
        case .port(let port): LoopbackConnection(to: port)
        case .socket(let path): LoopbackConnection(connectingTo: path)
        }
    }
}
