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
        case .bytes(let bytes): Hex.byteaText(bytes)
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

    /// Whether any of its bytes is one of those. Over the bytes themselves: the view of them takes several times as long.
    func containsByte(_ isWanted: (UInt8) -> Bool) -> Bool {
        unsafe utf8.withContiguousStorageIfAvailable { unsafe $0.contains(where: isWanted) }
            ?? utf8.contains(where: isWanted)
    }
}

/// `bytea` in the server's hex form, `\x` and two lower-case digits a byte.
enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    static func byteaText(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = [UInt8(ascii: "\\"), UInt8(ascii: "x")]
        text.reserveCapacity(2 + bytes.count * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes, or nil if the text is not in hex form.
    static func bytes(_ text: String) -> [UInt8]? {
        let utf8 = Array(text.utf8)
        guard utf8.starts(with: "\\x".utf8), utf8.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count / 2)
        for index in stride(from: 2, to: utf8.count, by: 2) {
            guard let high = nibble(utf8[index]), let low = nibble(utf8[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func nibble(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
