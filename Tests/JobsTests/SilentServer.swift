// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A server on loopback that takes connections and never says a word: whoever calls it waits.
@safe final class SilentServer: Sendable {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = descriptor
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(socket, generic, length) == 0 && getsockname(socket, generic, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isBound, listen(socket, 64) == 0 else { throw SilentServerError() }
    }

    deinit { close(descriptor) }

    /// Returns when somebody has connected.
    func waitForCaller() async throws {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&watched, 1, 0) <= 0 { try await Task.sleep(for: .milliseconds(20)) }
    }
}

/// No socket could be had on loopback.
struct SilentServerError: Error {}
