// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Questions of long texts, asked many bytes at a time: certificates are most of a store's answer, and the same ones of each row.
extension ArraySlice<UInt8> {
    /// The index of the first byte that is this one; nil where there is none.
    package func place(of byte: UInt8) -> Int? {
        unsafe withUnsafeBytes { bytes in
            guard let first = bytes.baseAddress, let found = unsafe memchr(first, Int32(byte), bytes.count) else {
                return nil
            }
            return unsafe startIndex + (UnsafeRawPointer(found) - first)
        }
    }

    /// Whether both have the same bytes, whatever their indices: as `==`, and faster.
    package func isSame(as other: ArraySlice<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBytes { one in
            unsafe other.withUnsafeBytes { two in
                guard let one = one.baseAddress, let two = two.baseAddress else { return true }
                return unsafe memcmp(one, two, count) == 0
            }
        }
    }
}
