// SPDX-License-Identifier: Apache-2.0

/// A request that may be put on the wire: its URL names an allowed server, its headers are single lines.
struct CheckedRequest: Sendable {
    let request: HTTPRequest
    let origin: Origin

    /// Refuses with `.invalidRequest`; the reason says what is wrong without quoting it.
    init(_ request: HTTPRequest) throws(HTTPError) {
        do throws(Origin.Refusal) {
            origin = try Origin(url: request.url)
        } catch {
            throw HTTPError(.invalidRequest, host: "(no host)", route: request.route, reason: error.rawValue)
        }
        for header in request.headers where !Self.isName(header.name) || !Self.isValue(header.value) {
            throw HTTPError(
                .invalidRequest, host: origin.host, route: request.route,
                reason: "a header's name or value holds a forbidden character")
        }
        self.request = request
    }

    /// RFC 9110 §5.6.2: a token.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default:
                    "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// No control characters: a line break would start a header of its own.
    private static func isValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
    }
}
