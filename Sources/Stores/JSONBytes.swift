// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Cheap and good enough to notice an error page or a cut body; the reader looks closely.
    package var looksLikeObject: Bool {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = first(where: { !isBlank($0) }), let last = last(where: { !isBlank($0) }) else { return false }
        return first == UInt8(ascii: "{") && last == UInt8(ascii: "}")
    }
}
