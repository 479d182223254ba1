// SPDX-License-Identifier: Apache-2.0

/// The records of a CSV text (RFC 4180): quoted fields may hold commas, quotes and line breaks; lines end in LF or CRLF.
package struct CSVRecords: Sequence, IteratorProtocol {
    /// A record and the line it begins on.
    package struct Record {
        /// Counted from 1.
        package let line: Int
        /// Without their quotes.
        ///
        /// One that is no UTF-8 is empty.
        package let fields: [String]
        /// As it is in the text, without its line end.
        package let bytes: ArraySlice<UInt8>
        /// What is wrong with it, as the end of a sentence about it; nil if the record is well formed.
        package let problem: String?
    }

    private let bytes: ArraySlice<UInt8>
    private var index: Int
    private var line = 1

    /// - Parameter bytes: a text in UTF-8, behind its byte order mark.
    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        self.index = bytes.startIndex
    }

    /// The next record; empty lines are passed over.
    ///
    /// Nil behind the last one. A record that is not well formed says so, and those after it are read on.
    package mutating func next() -> Record? {
        while let byte = peek, byte == Byte.lineFeed || byte == Byte.carriageReturn { step() }
        guard peek != nil else { return nil }
        let (start, first) = (line, index)
        var fields: [String] = []
        var problem: String?
        repeat {
            let field = peek == Byte.quote ? quotedField() : plainField()
            fields.append(String(validating: field.bytes, as: UTF8.self) ?? "")
            let isText = String(validating: field.bytes, as: UTF8.self) != nil
            problem = problem ?? field.problem ?? (isText ? nil : "it is not UTF-8 text")
        } while skipComma()
        return Record(line: start, fields: fields, bytes: bytes[first..<index], problem: problem)
    }

    private var peek: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

    private mutating func step() {
        if bytes[index] == Byte.lineFeed { line += 1 }
        index += 1
    }

    /// True if another field follows; otherwise the record's line ends here.
    private mutating func skipComma() -> Bool {
        guard peek == Byte.comma else { return false }
        step()
        return true
    }

    private mutating func plainField() -> (bytes: [UInt8], problem: String?) {
        let start = index
        while let byte = peek, byte != Byte.comma, byte != Byte.lineFeed { step() }
        let end = index > start && bytes[index - 1] == Byte.carriageReturn && peek != Byte.comma ? index - 1 : index
        return (Array(bytes[start..<end]), nil)
    }

    private mutating func quotedField() -> (bytes: [UInt8], problem: String?) {
        step()
        var field: [UInt8] = []
        while let byte = peek {
            step()
            guard byte == Byte.quote else {
                field.append(byte)
                continue
            }
            guard peek == Byte.quote else { return (field, restOfField()) }
            field.append(byte)
            step()
        }
        return (field, "a quoted field is not closed")
    }

    /// After a closing quote only a comma or the end of the line may come.
    private mutating func restOfField() -> String? {
        let rest = plainField().bytes
        return rest.isEmpty ? nil : "a quoted field goes on after its quote"
    }
}

private enum Byte {
    static let quote = UInt8(ascii: "\"")
    static let comma = UInt8(ascii: ",")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
}
