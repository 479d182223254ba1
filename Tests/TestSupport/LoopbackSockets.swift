// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Owns a listening socket on a loopback port.
///
/// The server and its thread share it.
final class ListeningSocket: Sendable {
    let port: UInt16
    private let descriptor: Int32

    /// `port`: one that was this process's before; 0: the system chooses.
    init(port wanted: UInt16 = 0) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var isReused: Int32 = 1
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = wanted.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = descriptor
        let isReady = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(listener, generic, length) == 0 && listen(listener, 256) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isReady else { throw TestSupportError("no loopback port can be opened: system error \(errno)") }
    }

    deinit { close(descriptor) }

    /// Waits for a connection; nil once the socket is stopped.
    func next() -> LoopbackConnection? {
        let accepted = accept(descriptor, nil, nil)
        return accepted >= 0 ? LoopbackConnection(owning: accepted) : nil
    }

    /// Somebody has connected and was not taken yet.
    var hasCaller: Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&watched, 1, 0) > 0
    }

    func stop() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// One accepted connection: reads requests one after the other.
///
/// Blocking.
final class LoopbackConnection: Sendable {
    private let descriptor: Int32

    init(owning descriptor: Int32) { self.descriptor = descriptor }

    /// To a server that listens at a unix socket; nil where none does.
    init?(connectingTo path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8.prefix(107)) }
        let (caller, length) = (descriptor, socklen_t(MemoryLayout<sockaddr_un>.size))
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(caller, $0, length) == 0 }
        }
        guard isConnected else { return nil }
    }

    deinit { close(descriptor) }

    /// To a server on loopback; nil where none listens.
    convenience init?(to port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        self.init(owning: descriptor)
        if !isConnected { return nil }
    }

    /// No side sends or receives any more.
    func stop() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// The next request; nil when the peer has closed.
    func readRequest() -> LoopbackServer.Request? {
        var bytes: [UInt8] = []
        while true {
            if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
                return readRest(
                    head: String(decoding: bytes[..<end.lowerBound], as: UTF8.self), bytes[end.upperBound...])
            }
            guard let more = receive() else { return nil }
            bytes += more
        }
    }

    func send(_ answer: LoopbackServer.Answer) -> Bool {
        var head = "HTTP/1.1 \(answer.status) Status\r\nContent-Length: \(answer.body.count)\r\n"
        for (name, value) in answer.headers { head += "\(name): \(value)\r\n" }
        return send(Array((head + "\r\n").utf8) + answer.body)
    }

    private func readRest(head: String, _ started: ArraySlice<UInt8>) -> LoopbackServer.Request? {
        let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        let bare = LoopbackServer.Request(path: path, head: head, body: [])
        let length = bare.header("content-length").flatMap { Int($0) } ?? 0
        var body = Array(started)
        while body.count < length {
            guard let more = receive() else { return nil }
            body += more
        }
        return LoopbackServer.Request(path: path, head: head, body: body)
    }

    func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        return count > 0 ? Array(buffer[..<count]) : nil
    }

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
}
