// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Questions of long texts, asked many bytes at a time: certificates are most of an answer.
extension [UInt8] {
    /// Where the byte stands next.
    package func place(of byte: UInt8, from start: Int) -> Int? { self[start...].place(of: byte) }

    /// These bytes stand there.
    package func holds(_ other: [UInt8], at place: Int) -> Bool {
        place + other.count <= count && self[place..<(place + other.count)].isSame(as: other[...])
    }
}

extension ArraySlice<UInt8> {
    /// Where the byte stands first.
    func place(of byte: UInt8) -> Int? {
        unsafe withUnsafeBytes { bytes in
            guard let first = bytes.baseAddress, let found = unsafe memchr(first, Int32(byte), bytes.count) else {
                return nil
            }
            return unsafe startIndex + (UnsafeRawPointer(found) - first)
        }
    }

    /// As `==`, many bytes at a time.
    func isSame(as other: ArraySlice<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBytes { one in
            unsafe other.withUnsafeBytes { two in
                guard let one = one.baseAddress, let two = two.baseAddress else { return true }
                return unsafe memcmp(one, two, count) == 0
            }
        }
    }

    /// It holds a reverse solidus.
    var hasEscape: Bool { place(of: UInt8(ascii: "\\")) != nil }

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
