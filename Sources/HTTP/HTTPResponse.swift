// SPDX-License-Identifier: Apache-2.0

/// One complete answer, whatever its status: a 404 or a 302 is an answer too, and the caller decides what it means.
package struct HTTPResponse: Sendable {
    /// The status code of the final answer.
    package let status: Int

    /// The header fields of the final answer, and its trailers if it had any.
    package let headers: HTTPHeaders

    /// The body, decompressed.
    package let body: [UInt8]

    /// The version the answer came over.
    package let version: HTTPVersion

    /// The server's clock: its `Date` header in seconds since the Unix epoch; nil when absent or malformed.
    package var date: Int64? {
        headers["date"].flatMap(HTTPDate.seconds(from:))
    }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Leaves out the body, which may hold what a customer bought.
    package var description: String { "\(status) over \(version), \(body.count) bytes" }

    package var debugDescription: String { description }

    /// Shows no parts, so that `dump` and failed expectations cannot print them either.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
