// SPDX-License-Identifier: Apache-2.0

/// Finds the values of a JSON text (RFC 8259) that is known to be UTF-8, in one pass.
struct JSONScanner {
    struct Malformed: Error {}

    /// Deeper than any answer, and far from the end of a thread's stack.
    private static let deepest = 128

    private let bytes: [UInt8]
    private var position: Int
    /// A text has half a surrogate pair.
    private(set) var hasLoneSurrogate = false

    /// A byte order mark, which some editors put before a file, is passed over.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = bytes.withoutByteOrderMark.startIndex
    }

    /// One object or array, and nothing behind it.
    mutating func document() throws(Malformed) -> JSONDocument.Value {
        skipSpaces()
        guard position < bytes.count, [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(bytes[position]) else {
            throw Malformed()
        }
        let root = try value(depth: 0)
        skipSpaces()
        guard position == bytes.count else { throw Malformed() }
        return root
    }

    private mutating func value(depth: Int) throws(Malformed) -> JSONDocument.Value {
        guard position < bytes.count, depth < Self.deepest else { throw Malformed() }
        switch bytes[position] {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "t"): return .scalar(try word("true"))
        case UInt8(ascii: "f"): return .scalar(try word("false"))
        case UInt8(ascii: "n"): return .scalar(try word("null"))
        default: return .scalar(try number())
        }
    }

    private mutating func object(depth: Int) throws(Malformed) -> JSONDocument.Value {
        var members: [JSONDocument.Member] = []
        position += 1
        skipSpaces()
        if take("}") { return .object(members) }
        repeat {
            skipSpaces()
            let name = try text()
            skipSpaces()
            guard take(":") else { throw Malformed() }
            skipSpaces()
            members.append(
                JSONDocument.Member(
                    name: resolved(name), quotedName: name, value: try value(depth: depth + 1)))
            skipSpaces()
        } while take(",")
        guard take("}") else { throw Malformed() }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(Malformed) -> JSONDocument.Value {
        var elements: [JSONDocument.Value] = []
        position += 1
        skipSpaces()
        if take("]") { return .array(elements) }
        repeat {
            skipSpaces()
            elements.append(try value(depth: depth + 1))
            skipSpaces()
        } while take(",")
        guard take("]") else { throw Malformed() }
        return .array(elements)
    }

    /// A quoted text, from quote to quote.
    private mutating func text() throws(Malformed) -> Range<Int> {
        let start = position
        guard take("\"") else { throw Malformed() }
        position = try closingQuote(from: position)
        guard take("\"") else { throw Malformed() }
        return start..<position
    }

    /// Most of a document is text: finding the next quotation mark is nearly all of it.
    private mutating func closingQuote(from start: Int) throws(Malformed) -> Int {
        guard let end = bytes.endOfText(from: start) else { throw Malformed() }
        let text = bytes[start..<end]
        guard text.hasNoControls else { throw Malformed() }
        guard text.hasEscape else { return end }
        switch JSONEscapes.soundness(of: text) {
        case .sound: break
        case .mended: hasLoneSurrogate = true
        case .unsound: throw Malformed()
        }
        return end
    }

    private func resolved(_ quoted: Range<Int>) -> String {
        let inner = bytes[(quoted.lowerBound + 1)..<(quoted.upperBound - 1)]
        guard inner.hasEscape else { return String(decoding: inner, as: UTF8.self) }
        return String(decoding: JSONEscapes.resolved(inner), as: UTF8.self)
    }

    private mutating func word(_ word: StaticString) throws(Malformed) -> Range<Int> {
        let start = position
        for byte in word.description.utf8 {
            guard position < bytes.count, bytes[position] == byte else { throw Malformed() }
            position += 1
        }
        return start..<position
    }

    private mutating func number() throws(Malformed) -> Range<Int> {
        let start = position
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        return start..<position
    }

    private mutating func digits() throws(Malformed) {
        let start = position
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            position += 1
        }
        guard position > start else { throw Malformed() }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpaces() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }
}
