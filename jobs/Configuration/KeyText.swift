// SPDX-License-Identifier: Apache-2.0

import Glibc
import Model

/// The text of a key file, on its way into memory that is overwritten after use: it is in no `String` and no buffer of others.
enum KeyText {
    /// The bytes of a file, at most so many, in an array with no other owner; nil where it cannot be read.
    static func read(_ path: String, upTo limit: Int) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var isRead = true
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            while count < limit {
                let more = unsafe Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), limit - count)
                guard more != 0 else { return }
                if more > 0 { count += more } else if errno != EINTR { return isRead = false }
            }
        }
        return isRead ? bytes : nil
    }

    /// The text without the white space around it and a byte order mark before it.
    static func secret(in bytes: Swift.Span<UInt8>) throws(Files.Refusal) -> Secret {
        guard let text = try? UTF8Span(validating: bytes) else { throw Files.Refusal(problem: "is no text file") }
        var place = text.makeUnicodeScalarIterator()
        var start = 0
        while let scalar = place.next(), scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
            start = place.currentCodeUnitOffset
        }
        place.reset(roundingForwardsFrom: bytes.count)
        var end = bytes.count
        while end > start, let scalar = place.previous(), scalar.properties.isWhitespace {
            end = place.currentCodeUnitOffset
        }
        guard start < end, let trimmed = try? UTF8Span(validating: bytes.extracting(start..<end)) else {
            throw Files.Refusal(problem: "is empty")
        }
        return Secret(trimmed)
    }
}
