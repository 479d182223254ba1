// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Stands between a client and a server on loopback, passes on what they say, and cuts every connection after so many bytes
/// of the server's.
package final class CuttingRelay: Sendable {
    private let socket: ListeningSocket

    package var port: UInt16 { socket.port }

    package init(to server: UInt16, cutAfter limit: Int) throws {
        let socket = try ListeningSocket()
        self.socket = socket
        Thread {
            while let client = socket.next() {
                guard let server = LoopbackConnection(to: server) else { continue }
                Thread {
                    while let bytes = client.receive(), server.send(bytes) {}
                    server.stop()
                }.start()
                Thread { Self.pass(from: server, to: client, upTo: limit) }.start()
            }
        }.start()
    }

    deinit { socket.stop() }

    private static func pass(from server: LoopbackConnection, to client: LoopbackConnection, upTo limit: Int) {
        var left = limit
        while left > 0, let bytes = server.receive(), client.send(Array(bytes.prefix(left))) { left -= bytes.count }
        server.stop()
        client.stop()
    }
}
