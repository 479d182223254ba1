// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Stands before PostgreSQL as PgBouncer does with what a session is opened with: it refuses options it does not track, or
/// (`ignore_startup_parameters = options`) drops them and passes the rest on. What comes after it leaves alone.
package final class PoolerStandIn: Sendable {
    /// What becomes of a session's options.
    package enum Manner: Sendable { case refuses, drops }

    private let socket: ListeningSocket

    package var port: UInt16 { socket.port }

    /// - Parameter serverSocket: the path of the server's unix socket.
    package init(_ manner: Manner, before serverSocket: String) throws {
        let socket = try ListeningSocket()
        self.socket = socket
        Thread {
            while let client = socket.next() {
                Thread { Self.serve(client, manner, serverSocket) }.start()
            }
        }.start()
    }

    deinit { socket.stop() }

    private static func serve(_ client: LoopbackConnection, _ manner: Manner, _ serverSocket: String) {
        guard let packet = client.receive() else { return }
        if manner == .refuses {
            _ = client.send(fatal("unsupported startup parameter: options"))
        } else if let server = LoopbackConnection(connectingTo: serverSocket) {
            guard server.send(withoutOptions(packet)) else { return }
            Thread { pass(from: server, to: client) }.start()
            pass(from: client, to: server)
        }
    }

    private static func pass(from one: LoopbackConnection, to other: LoopbackConnection) {
        while let bytes = one.receive(), other.send(bytes) {}
        other.stop()
    }

    /// A start-up packet: its length, the protocol's version, then names and values, each ended by a zero.
    private static func withoutOptions(_ packet: [UInt8]) -> [UInt8] {
        let texts = packet.dropFirst(8).split(separator: 0, omittingEmptySubsequences: false)
        var body = Array(packet[4..<8])
        for pair in stride(from: 0, to: texts.count - 1, by: 2) where !texts[pair].isEmpty {
            guard texts[pair] != Array("options".utf8)[...] else { continue }
            body += texts[pair] + [0] + texts[pair + 1] + [0]
        }
        return message(body + [0])
    }

    private static func fatal(_ sentence: String) -> [UInt8] {
        let fields = ["SFATAL", "VFATAL", "C08P01", "M" + sentence].flatMap { (field: String) -> [UInt8] in
            Array(field.utf8) + [0]
        }
        return [UInt8(ascii: "E")] + message(fields + [0])
    }

    private static func message(_ body: [UInt8]) -> [UInt8] {
        let length = UInt32(body.count + 4)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + body
    }
}
