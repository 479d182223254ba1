// SPDX-License-Identifier: Apache-2.0

/// The escapes of JSON texts (RFC 8259, section 7).
package enum JSONEscapes {
    /// What is to be said of the escapes of a text.
    enum Soundness: Hashable {
        /// Each is one of JSON's, and each half of a surrogate pair has its other half.
        case sound
        /// One half of a surrogate pair stands alone, as where a store cuts a text off: U+FFFD is read in its place.
        case mended
        /// One is none of JSON's.
        case unsound
    }

    static func soundness(of text: ArraySlice<UInt8>) -> Soundness { units(of: text, each: { _ in }) }

    /// What a text between quotation marks says, in UTF-8, its escapes resolved.
    ///
    /// From an escape on that is none of JSON's, nothing.
    package static func resolved(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var resolved: [UInt8] = []
        resolved.reserveCapacity(text.count)
        _ = units(of: text) { resolved += $0 }
        return resolved
    }

    /// A text in UTF-8 as it is written between quotation marks.
    package static func escaped(_ text: [UInt8]) -> [UInt8] {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.count + text.count / 4)
        var copiedUpTo = 0
        for place in text.indices {
            let byte = text[place]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            escaped += text[copiedUpTo..<place]
            escaped.append(UInt8(ascii: "\\"))
            copiedUpTo = place
            guard byte < 0x20 else { continue }
            escaped += "u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
            copiedUpTo = place + 1
        }
        escaped += text[copiedUpTo...]
        return escaped
    }

    /// The parts of a text: what is no escape byte by byte, and each escape as what it represents, up to an unsound one.
    private static func units(
        of text: ArraySlice<UInt8>, each body: (ArraySlice<UInt8>) -> Void
    ) -> Soundness {
        var (rest, soundness) = (text, Soundness.sound)
        while let escape = rest.firstIndex(of: UInt8(ascii: "\\")) {
            body(rest[..<escape])
            rest = rest[(escape + 1)...]
            guard let letter = rest.popFirst() else { return .unsound }
            if letter == UInt8(ascii: "u") {
                guard let unit = unit(takenFrom: &rest) else { return .unsound }
                let scalar = scalar(unit, &rest)
                if scalar == nil { soundness = .mended }
                body(Array(String(scalar ?? "\u{FFFD}").utf8)[...])
            } else {
                guard let byte = short[letter] else { return .unsound }
                body([byte])
            }
        }
        body(rest)
        return soundness
    }

    private static let short: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
        UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
        UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]

    /// What a unit represents, with the other half of a pair where that follows; nil for a half that stands alone.
    private static func scalar(_ unit: UInt16, _ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
        guard rest.starts(with: "\\u".utf8) else { return nil }
        var behind = rest.dropFirst(2)
        guard let trail = self.unit(takenFrom: &behind), UTF16.isTrailSurrogate(trail) else { return nil }
        rest = behind
        return String(decoding: [unit, trail], as: UTF16.self).unicodeScalars.first
    }

    private static func unit(takenFrom rest: inout ArraySlice<UInt8>) -> UInt16? {
        let digits = rest.prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        rest = rest.dropFirst(4)
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
