// SPDX-License-Identifier: Apache-2.0

/// The version of HTTP: what a client offers, and what an answer came over.
package enum HTTPVersion: String, Sendable, Hashable, CustomStringConvertible {
    /// HTTP/1.1: one request at a time on a connection. The way out when a server's HTTP/2 misbehaves.
    case http1 = "HTTP/1.1"

    /// HTTP/2, negotiated by ALPN: many requests share one connection.
    case http2 = "HTTP/2"

    package var description: String { rawValue }
}
