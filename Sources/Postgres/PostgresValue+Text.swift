// SPDX-License-Identifier: Apache-2.0

import Foundation

extension PostgresValue {
    /// The value in PostgreSQL's text format; nil for NULL.
    var wireText: String? {
        switch self {
        case .null: nil
        case .text(let text), .date(let text), .json(let text): text
        case .int(let int): String(int)
        case .bool(let bool): bool ? "t" : "f"
        case .bytes(let bytes): ByteaText.format(bytes)
        case .timestamp(let micros): InstantText.format(micros: micros)
        case .intArray(let ints): "{" + ints.map(String.init).joined(separator: ",") + "}"
        case .textArray(let texts), .documentArray(let texts): ArrayText.format(texts)
        }
    }

    /// True if a text in it holds U+0000, which no PostgreSQL text type can store (and which would end a C string).
    var containsNul: Bool {
        switch self {
        case .text(let text), .date(let text), .json(let text): text.containsNul
        case .textArray(let texts), .documentArray(let texts): texts.contains { $0?.containsNul ?? false }
        case .null, .int, .bool, .bytes, .timestamp, .intArray: false
        }
    }
}

extension String {
    /// Whether it holds U+0000.
    fileprivate var containsNul: Bool {
        unsafe utf8.withContiguousStorageIfAvailable { bytes in
            unsafe bytes.baseAddress.map { unsafe memchr($0, 0, bytes.count) != nil } ?? false
        } ?? utf8.contains(0)
    }

    /// Whether any of its bytes is one of those.
    ///
    /// Over the bytes themselves: the view of them takes several times as long.
    func containsByte(_ isWanted: (UInt8) -> Bool) -> Bool {
        unsafe utf8.withContiguousStorageIfAvailable { unsafe $0.contains(where: isWanted) }
            ?? utf8.contains(where: isWanted)
    }
}
