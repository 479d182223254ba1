// SPDX-License-Identifier: Apache-2.0

/// What some editors and spreadsheets write before a text in UTF-8.
///
/// It is no part of the text.
package enum ByteOrderMark {
    /// U+FEFF in UTF-8.
    package static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
}

extension [UInt8] {
    /// A file's content behind its byte order mark; all of it where it has none.
    package var withoutByteOrderMark: ArraySlice<UInt8> {
        starts(with: ByteOrderMark.bytes) ? self[ByteOrderMark.bytes.count...] : self[...]
    }
}
