// SPDX-License-Identifier: Apache-2.0

/// A value that must never be printed: a receipt, a purchase token, a shared secret, an access token.
///
/// Its text lies in memory of its own, which is overwritten when the last copy of the value is gone. What `reveal` gives out is a
/// `String`: its memory belongs to the language, which frees it as it is. Whoever needs only the bytes takes `withBytes`.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let memory: WipedMemory

    package init(_ value: String) {
        memory = WipedMemory(copying: value.utf8.span)
    }

    /// The text of these bytes, which must be UTF-8.
    ///
    /// They are the caller's to overwrite.
    package init(_ text: UTF8Span) {
        memory = WipedMemory(copying: text.span)
    }

    /// Hands the value out for the one place that must send it.
    package func reveal() -> String { memory.withBytes { unsafe String(copying: UTF8Span(unchecked: $0)) } }

    /// Lends the text's bytes.
    package func withBytes<Result, Failure: Error>(
        _ body: (Swift.Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try memory.withBytes(body)
    }

    package static func == (left: Secret, right: Secret) -> Bool { left.memory == right.memory }

    package func hash(into hasher: inout Hasher) { memory.hash(into: &hasher) }

    package var description: String { "***" }
    package var debugDescription: String { "***" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
