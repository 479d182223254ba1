// SPDX-License-Identifier: Apache-2.0

/// How a client talks to its servers.
///
/// TLS verification is not among the choices: it is always on.
package struct HTTPClientConfiguration: Sendable, CustomStringConvertible {
    /// The version offered.
    ///
    /// With `.http2` a server that does not speak it is talked to over HTTP/1.1.
    package var version: HTTPVersion

    /// The limits of requests that do not bring their own.
    package var limits: HTTPLimits

    /// A PEM file with the only authorities to trust; nil trusts the system's store.
    package var certificateAuthorityFile: String?

    /// The most connections open to one host.
    package var maximumConnectionsPerHost: Int

    /// The most requests in flight to one host over HTTP/2; further ones wait their turn in the client.
    package var maximumConcurrentStreams: Int

    /// What the client calls itself, as `name/version`.
    package var userAgent: String

    /// The proxy's URL; nil goes direct.
    ///
    /// The environment's proxy variables are never read.
    package var proxy: String?

    /// The defaults suit a store API: HTTP/2, the system's trust store, no proxy.
    package init(
        version: HTTPVersion = .http2, limits: HTTPLimits = HTTPLimits(), certificateAuthorityFile: String? = nil,
        maximumConnectionsPerHost: Int = 8, maximumConcurrentStreams: Int = 256, userAgent: String = "subledger",
        proxy: String? = nil
    ) {
        self.version = version
        self.limits = limits
        self.certificateAuthorityFile = certificateAuthorityFile
        self.maximumConnectionsPerHost = maximumConnectionsPerHost
        self.maximumConcurrentStreams = maximumConcurrentStreams
        self.userAgent = userAgent
        self.proxy = proxy
    }

    /// Leaves the proxy's URL out: it may hold a password.
    package var description: String {
        "\(version), at most \(maximumConnectionsPerHost) connections and \(maximumConcurrentStreams) requests a host"
    }

    /// How many connections a client may hold to one host: over HTTP/2 many requests share one, and a second replaces one that ends.
    package static func connectionsPerHost(over version: HTTPVersion) -> Int {
        version == .http2 ? 2 : HTTPClientConfiguration().maximumConnectionsPerHost
    }

    /// Bytes of the stack of a client's thread: TLS takes the most of it.
    package static let stackSize = 1 << 20

    /// How many requests to one host may be in flight over the given version.
    func capacity(over version: HTTPVersion) -> Int {
        max(1, version == .http2 ? maximumConcurrentStreams : maximumConnectionsPerHost)
    }
}
