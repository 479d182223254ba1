// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Questions of long texts, asked many bytes at a time: certificates are most of an answer.
extension [UInt8] {
    /// Where the byte stands next.
    package func place(of byte: UInt8, from start: Int) -> Int? {
        guard start < count else { return nil }
        return unsafe withUnsafeBytes { bytes in
            guard let first = bytes.baseAddress,
                let found = unsafe memchr(first + start, Int32(byte), bytes.count - start)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - first
        }
    }
}

extension ArraySlice<UInt8> {
    /// It holds a reverse solidus.
    var hasEscape: Bool {
        var found = false
        let span = span
        for place in span.indices { found = found || span[place] == UInt8(ascii: "\\") }
        return found
    }

    /// It holds nothing below the space.
    var hasNoControls: Bool {
        var least = UInt8.max
        let span = span
        for place in span.indices { least = Swift.min(least, span[place]) }
        return least >= 0x20
    }
}

extension [UInt8] {
    /// Cheap and good enough to notice an error page or a cut body; the reader looks closely.
    package var looksLikeObject: Bool {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = first(where: { !isBlank($0) }), let last = last(where: { !isBlank($0) }) else { return false }
        return first == UInt8(ascii: "{") && last == UInt8(ascii: "}")
    }
}
