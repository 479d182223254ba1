// SPDX-License-Identifier: Apache-2.0

/// PostgreSQL's text form of a one-dimensional array: `{a,"b \"c\"",NULL}`.
enum ArrayText {
    /// Every element quoted, so that no text is mistaken for NULL, a brace or a comma.
    static func format(_ elements: [String?]) -> String {
        var text: [UInt8] = []
        append(elements, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// The same, in bytes.
    static func append(_ elements: [String?], to text: inout [UInt8]) {
        text.append(UInt8(ascii: "{"))
        for (place, element) in elements.enumerated() {
            if place > 0 { text.append(UInt8(ascii: ",")) }
            append(element, to: &text)
        }
        text.append(UInt8(ascii: "}"))
    }

    private static func append(_ element: String?, to text: inout [UInt8]) {
        guard let element else { return text.append(contentsOf: "NULL".utf8) }
        text.append(UInt8(ascii: "\""))
        if element.containsByte(isEscaped) {
            for byte in element.utf8 {
                if isEscaped(byte) { text.append(UInt8(ascii: "\\")) }
                text.append(byte)
            }
        } else {
            text.append(contentsOf: element.utf8)
        }
        text.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "\"") }

    /// The elements, or nil if the text is not a one-dimensional array.
    static func parse(_ text: String) -> [String?]? {
        var rest = Array(text.utf8)[...]
        guard rest.popFirst() == UInt8(ascii: "{"), rest.popLast() == UInt8(ascii: "}") else { return nil }
        var elements: [String?] = []
        while !rest.isEmpty {
            guard let element = parseElement(&rest) else { return nil }
            elements.append(element.text)
            guard let separator = rest.popFirst() else { return elements }
            guard separator == UInt8(ascii: ","), !rest.isEmpty else { return nil }
        }
        return elements
    }

    private static func parseElement(_ rest: inout ArraySlice<UInt8>) -> (text: String?, Void)? {
        guard rest.first != UInt8(ascii: "\"") else { return parseQuoted(&rest).map { ($0, ()) } }
        let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
        let text = String(decoding: rest[..<end], as: UTF8.self)
        rest = rest[end...]
        guard !text.isEmpty, !text.contains("{") else { return nil }
        return (text.uppercased() == "NULL" ? nil : text, ())
    }

    private static func parseQuoted(_ rest: inout ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        rest.removeFirst()
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                bytes.append(escaped)
            default: bytes.append(byte)
            }
        }
        return nil
    }
}
