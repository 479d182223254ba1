// SPDX-License-Identifier: Apache-2.0

/// The 64 characters of one flavour of base64, and the shifting of bits that both flavours share.
///
/// Foundation knows neither the URL flavour nor a strict mode (it accepts stray bits), hence these few lines.
struct Base64Alphabet: Sendable {
    static let standard = Base64Alphabet(last: "+/")
    static let url = Base64Alphabet(last: "-_")

    private let characters: [UInt8]

    /// The value of every byte; 0xFF where the byte is no character of the alphabet.
    private let values: [UInt8]

    private init(last: String) {
        let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8)
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in characters.enumerated() {
            values[Int(character)] = UInt8(value)
        }
        self.characters = characters
        self.values = values
    }

    /// The characters of the bytes, without padding.
    func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for byte in group { bits = bits << 8 | UInt32(byte) }
            bits <<= UInt32(3 - group.count) * 8
            for position in 0...group.count {
                text.append(characters[Int(bits >> UInt32(18 - 6 * position)) & 0x3F])
            }
        }
        return text
    }

    /// The bytes of characters without padding, or nil for a foreign character, an impossible length or stray bits.
    func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let tail = text.count % 4
        guard tail != 1 else { return nil }
        let source = text.span
        let table = values.span
        let whole = source.count - tail
        var refused: UInt8 = 0
        var bytes = [UInt8](repeating: 0, count: whole / 4 * 3)
        do {
            var output = bytes.mutableSpan
            for group in 0..<whole / 4 {
                let (from, to) = (group * 4, group * 3)
                // Both are of one length, and a table of 256 has a place for every byte.
                let (a, b) = unsafe (
                    table[unchecked: Int(source[unchecked: from])], table[unchecked: Int(source[unchecked: from + 1])]
                )
                let (c, d) = unsafe (
                    table[unchecked: Int(source[unchecked: from + 2])],
                    table[unchecked: Int(source[unchecked: from + 3])]
                )
                refused |= a | b | c | d
                unsafe output[unchecked: to] = a << 2 | b >> 4
                unsafe output[unchecked: to + 1] = b << 4 | c >> 2
                unsafe output[unchecked: to + 2] = c << 6 | d
            }
        }
        if tail > 0 {
            let (a, b) = (table[Int(source[whole])], table[Int(source[whole + 1])])
            let c = tail == 3 ? table[Int(source[whole + 2])] : 0
            refused |= a | b | c
            bytes.append(a << 2 | b >> 4)
            if tail == 3 { bytes.append(b << 4 | c >> 2) }
            let stray = tail == 3 ? c & 0x03 : b & 0x0F
            guard stray == 0 else { return nil }
        }
        return refused & 0xC0 == 0 ? bytes : nil
    }
}
