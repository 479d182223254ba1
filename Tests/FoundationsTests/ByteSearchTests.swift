// SPDX-License-Identifier: Apache-2.0

import Foundations
import Testing

/// A slice's indices are those of its array.
@Suite struct ByteSearchTests {
    private static let bytes = Array("abcabc".utf8)

    @Test func `a byte is found where it occurs first in the slice`() {
        #expect(Self.bytes[...].place(of: UInt8(ascii: "b")) == 1)
        #expect(Self.bytes[2...].place(of: UInt8(ascii: "b")) == 4)
        #expect(Self.bytes[2..<4].place(of: UInt8(ascii: "b")) == nil)
        #expect([UInt8]()[...].place(of: 0) == nil)
    }

    @Test func `slices are the same where their bytes are`() {
        #expect(Self.bytes[..<3].isSame(as: Self.bytes[3...]))
        #expect(!Self.bytes[..<3].isSame(as: Self.bytes[2..<5]))
        #expect(!Self.bytes[..<3].isSame(as: Self.bytes[...]))
        #expect(Self.bytes[..<0].isSame(as: [UInt8]()[...]))
    }
}
