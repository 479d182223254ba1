// SPDX-License-Identifier: Apache-2.0

/// One request.
///
/// The URL, the headers and the body may hold tokens, so no description ever shows them: what may be read by people is
/// the method, the host and the route.
package struct HTTPRequest: Sendable {
    /// What is asked of the server.
    ///
    /// The stores need no more.
    package enum Method: String, Sendable, Hashable {
        case get = "GET"
        case post = "POST"
    }

    /// What is asked of the server.
    package var method: Method

    /// The whole URL, its path segments already encoded (see `URLPath`).
    ///
    /// Only `https`, and `http` to a loopback host.
    package var url: String

    /// The path as a template, such as `/inApps/v1/subscriptions/{id}`: the only form that may appear in logs and
    /// errors.
    package var route: String

    /// Header lines in the order they are sent.
    package var headers: [(name: String, value: String)]

    /// The body; nil sends none.
    ///
    /// Ignored by `.get`.
    package var body: [UInt8]?

    /// The limits of this request; nil takes the client's.
    package var limits: HTTPLimits?

    /// Describes a request; nothing is checked before it is sent.
    package init(
        method: Method = .get, url: String, route: String, headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil, limits: HTTPLimits? = nil
    ) {
        self.method = method
        self.url = url
        self.route = route
        self.headers = headers
        self.body = body
        self.limits = limits
    }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String {
        "\(method.rawValue) \((try? Origin(url: url))?.host ?? "(no host)") \(route)"
    }

    package var debugDescription: String { description }

    /// Shows no parts, so that `dump` and failed expectations cannot print them either.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
