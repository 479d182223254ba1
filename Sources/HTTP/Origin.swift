// SPDX-License-Identifier: Apache-2.0

/// The part of a URL that names the server: which host to count against, and whether its scheme is allowed.
///
/// Deliberately stricter than libcurl's own parser, so that the two cannot disagree about which host is meant.
struct Origin: Sendable {
    /// Why a URL is refused.
    ///
    /// Never quotes the URL.
    enum Refusal: String, Error {
        case characters = "the URL holds a space, a control character, a fragment or a character that is not ASCII"
        case scheme = "only https is allowed, and http to a loopback host"
        case authority = "the URL has no plain host and port"
    }

    /// The host, in lower case and without brackets.
    let host: String

    /// Scheme, host and port: what connections are shared by.
    let key: String

    /// True for `http`, which only a loopback host may have.
    let isPlaintext: Bool

    /// Reads scheme, host and port of an absolute URL.
    init(url: String) throws(Refusal) {
        let bytes = url.utf8
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
            throw .characters
        }
        let scheme = bytes.prefix { $0 != UInt8(ascii: ":") }
        let isSecure = scheme.elementsEqual("https".utf8)
        guard isSecure || scheme.elementsEqual("http".utf8) else { throw .scheme }
        let rest = bytes.dropFirst(scheme.count)
        guard rest.starts(with: "://".utf8) else { throw .authority }
        let authority = rest.dropFirst(3).prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        host = try Self.host(in: authority)
        isPlaintext = !isSecure
        guard isSecure || Self.isLoopback(host) else { throw .scheme }
        key = String(decoding: bytes[..<authority.endIndex], as: UTF8.self).lowercased()
    }

    /// Takes `name`, `name:port`, `[address]` or `[address]:port`; anything else, user names above all, is refused.
    private static func host(in authority: Substring.UTF8View) throws(Refusal) -> String {
        let isBracketed = authority.first == UInt8(ascii: "[")
        let host = authority.dropFirst(isBracketed ? 1 : 0).prefix {
            $0 != UInt8(ascii: isBracketed ? "]" : ":")
        }
        let end = authority[host.endIndex...]
        guard !isBracketed || end.first == UInt8(ascii: "]") else { throw .authority }
        let rest = end.dropFirst(isBracketed ? 1 : 0)
        guard !host.isEmpty, host.allSatisfy({ isHostByte($0, inBrackets: isBracketed) }), isPort(rest) else {
            throw .authority
        }
        return String(decoding: host, as: UTF8.self).lowercased()
    }

    private static func isPort(_ rest: Substring.UTF8View) -> Bool {
        guard let colon = rest.first else { return true }
        let digits = rest.dropFirst()
        return colon == UInt8(ascii: ":") && (1...5).contains(digits.count) && digits.allSatisfy(isDigit)
    }

    private static func isHostByte(_ byte: UInt8, inBrackets: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."):
            true
        case UInt8(ascii: "-"):
            !inBrackets
        case UInt8(ascii: ":"):
            inBrackets
        default:
            isDigit(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// True for `localhost`, `::1` and the whole of 127.0.0.0/8 in its usual notation.
    static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let octets = host.split(separator: ".", omittingEmptySubsequences: false)
        return octets.count == 4 && octets[0] == "127"
            && octets.allSatisfy { octet in UInt8(octet).map(String.init) == String(octet) }
    }
}
