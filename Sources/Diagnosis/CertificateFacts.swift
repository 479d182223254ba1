// SPDX-License-Identifier: Apache-2.0

package import Model

/// A file of certificates that the configuration names, and how long it is good.
package struct CertificateFacts: Sendable {
    /// So long before its end somebody is to be told.
    private static let notice = Span.days(30)

    /// The key of the configuration, such as `ca_file`.
    package var key: String
    package var path: String
    /// The first of its certificates ends then; nil: it holds none, or cannot be read.
    package var end: Instant?
    package var now: Instant

    package init(key: String, path: String, end: Instant?, now: Instant) {
        (self.key, self.path, self.end, self.now) = (key, path, end, now)
    }

    var finding: Finding {
        guard let end else {
            return .toDo("certificates", "\(path) (\(key)) holds no certificate that can be read: look at the file")
        }
        let day = end.iso8601.prefix(10)
        if end < now {
            return .toDo("certificates", "\(path) (\(key)) ended on \(day): put a valid one in its place")
        }
        guard end - now > Self.notice else {
            return .toDo("certificates", "\(path) (\(key)) ends on \(day): put its successor in its place before")
        }
        return .fine("certificates", "\(path) (\(key)) is good until \(day)")
    }
}
