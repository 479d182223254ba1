// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A hand-made server on a loopback port that misbehaves as its script says; plain sockets, a thread a connection.
final class FaultServer: Sendable {
    typealias Script = @Sendable (FaultConnection) -> Void

    /// A system call failed.
    struct Failure: Error {
        let call: String
        let code: Int32
    }

    let port: UInt16
    private let listener: Listener
    private let accepted = Mutex(0)

    init(_ script: @escaping Script) throws {
        listener = try Listener()
        port = listener.port
        let thread = Thread { [listener, weak self] in
            while let connection = listener.next() {
                self?.accepted.withLock { $0 += 1 }
                Thread { script(connection) }.start()
            }
        }
        thread.start()
    }

    deinit {
        listener.stop()
    }

    /// How many connections were accepted.
    var connections: Int { accepted.withLock { $0 } }

    /// A port that no server listens on.
    static func closedPort() throws -> UInt16 { try Listener().port }
}

/// Owns a listening socket.
///
/// Its thread and its server share it, so that the descriptor is not closed, and given to somebody else, while the
/// thread is about to use it.
private final class Listener: Sendable {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw FaultServer.Failure(call: "socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = descriptor
        let isReady = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(listener, generic, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isReady else { throw FaultServer.Failure(call: "listen", code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Waits for a connection; nil once the socket is stopped.
    func next() -> FaultConnection? {
        let accepted = accept(descriptor, nil, nil)
        return accepted >= 0 ? FaultConnection(owning: accepted) : nil
    }

    /// Ends a wait for a connection, which closing alone would not.
    func stop() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }
}

/// One accepted connection.
///
/// Blocking; closed when the script lets go of it.
final class FaultConnection: Sendable {
    private let descriptor: Int32

    init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Reads up to the blank line that ends a request's headers, or to the end; what follows stays unread or is lost.
    @discardableResult
    func readRequest() -> [UInt8] {
        var request: [UInt8] = []
        while !request.contains("\r\n\r\n".utf8), let more = receive() {
            request += more
        }
        return request
    }

    /// Waits for bytes; nil when the peer has closed.
    func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// Sends all bytes; false when the peer has closed.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Waits until the peer closes.
    func waitForClose() {
        while receive() != nil {}
    }

    /// Makes the closing that follows a reset rather than an orderly end.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}
