// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Stands before PostgreSQL as PgBouncer does with what a session is opened with: it refuses options it does not track,
/// or (`ignore_startup_parameters = options`) drops them and passes the rest on; or as a server of an older version
/// does.
///
/// What comes after it leaves alone.
package final class FakePooler: Sendable {
    /// What becomes of a session's options.
    package enum Manner: Sendable {
        case refuses, drops
        /// They are passed on, and the server's version reads 14.
        case isOlder
    }

    private let socket: ListeningSocket

    package var port: UInt16 { socket.port }

    /// `serverSocket`: the path of the server's unix socket.
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
            guard server.send(manner == .drops ? withoutOptions(packet) : packet) else { return }
            Thread { pass(from: server, to: client, manner) }.start()
            pass(from: client, to: server, manner)
        }
    }

    private static func pass(from one: LoopbackConnection, to other: LoopbackConnection, _ manner: Manner) {
        while let bytes = one.receive(), other.send(manner == .isOlder ? older(bytes) : bytes) {}
        other.stop()
    }

    /// The server's report of its version, where these bytes hold it, with another number of the same length.
    private static func older(_ bytes: [UInt8]) -> [UInt8] {
        let name = Array("server_version".utf8) + [0]
        guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: name) }) else { return bytes }
        var changed = bytes
        changed.replaceSubrange(place + name.count..<place + name.count + 2, with: "14".utf8)
        return changed
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
