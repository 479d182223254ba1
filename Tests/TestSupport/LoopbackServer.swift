// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A real HTTP/1.1 server on a loopback port that answers as a test says; a thread for each connection.
package final class LoopbackServer: Sendable {
    /// What came in.
    package struct Request: Sendable {
        /// With its query.
        package let path: String
        package let head: String
        package let body: [UInt8]

        /// The value of a header line, or nil.
        package func header(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
        }
    }

    /// What goes out.
    package struct Answer: Sendable {
        package var status: Int
        package var headers: [(String, String)]
        package var body: [UInt8]
        /// How long the answer is held back: so that requests meet at the server.
        package var delay: Duration

        package init(
            _ status: Int = 200, _ body: String = "{}", headers: [(String, String)] = [], delay: Duration = .zero
        ) {
            self.status = status
            self.body = Array(body.utf8)
            self.headers = headers
            self.delay = delay
        }
    }

    private struct Log {
        var requests: [Request] = []
        var inFlight = 0
        var mostInFlight = 0
    }

    package let port: Int
    private let socket: ListeningSocket
    private let log: SharedLog

    /// The state the connections' threads share with the server.
    private final class SharedLog: Sendable {
        let value = Mutex(Log())
    }

    /// Starts a server; the answer is given the request and its number, from 1.
    package init(_ answer: @escaping @Sendable (Request, Int) -> Answer) throws {
        let (socket, log) = (try ListeningSocket(), SharedLog())
        (self.socket, self.log, port) = (socket, log, Int(socket.port))
        Thread {
            while let connection = socket.next() {
                Thread { Self.serve(connection, log, answer) }.start()
            }
        }.start()
    }

    deinit { socket.stop() }

    /// `http://127.0.0.1:port`.
    package var url: String { "http://127.0.0.1:\(port)" }
    /// All that came in, in order.
    package var requests: [Request] { log.value.withLock { $0.requests } }
    package var mostInFlight: Int { log.value.withLock { $0.mostInFlight } }

    private static func serve(
        _ connection: LoopbackConnection, _ log: SharedLog, _ answer: @Sendable (Request, Int) -> Answer
    ) {
        while let request = connection.readRequest() {
            let number = log.value.withLock { log in
                log.requests.append(request)
                log.inFlight += 1
                log.mostInFlight = max(log.mostInFlight, log.inFlight)
                return log.requests.count
            }
            let answer = answer(request, number)
            if answer.delay > .zero { Thread.sleep(forTimeInterval: answer.delay / .seconds(1)) }
            log.value.withLock { $0.inFlight -= 1 }
            guard connection.send(answer) else { return }
        }
    }
}
