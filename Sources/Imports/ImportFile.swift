// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model

/// A file to import: JSON Lines, or CSV whose first line names the columns. Which of them shows by its first character.
///
/// Its lines are read again each time they are asked for, so that a large file is in memory once and its rows are not.
package struct ImportFile: Sendable {
    /// One line as columns, or why it is none.
    struct Line {
        let number: Int
        let content: Result<[String: String], BadLine.Reason>
    }

    /// The longest receipts have some megabytes; what is longer is no line of a registration, and is not read into memory.
    private static let longestLine = 8_000_000
    private static let tooLong: BadLine.Reason = "it is longer than 8 megabytes"

    private let bytes: ArraySlice<UInt8>

    /// From the whole content of a file; a byte order mark is passed over.
    package init(_ content: [UInt8]) { self.bytes = content.withoutByteOrderMark }

    /// Lines in their order; empty ones are left out. `withDecimals`: a JSON number may have a fraction (a price, a rate).
    func lines(withDecimals: Bool = false) -> AnySequence<Line> {
        let first = bytes.first { ![UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains($0) }
        return first == UInt8(ascii: "{") ? AnySequence(jsonLines(withDecimals)) : AnySequence(csvLines())
    }

    private func jsonLines(_ withDecimals: Bool) -> some Sequence<Line> {
        let decoder = JSONDecoder()
        let kinds: BadLine.Reason = withDecimals ? "texts and numbers" : "texts and whole numbers"
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.enumerated().lazy.filter { !$0.element.allSatisfy(Self.isSpace) }.map { index, bytes in
            guard bytes.count <= Self.longestLine else {
                return Line(number: index + 1, content: .failure(Self.tooLong))
            }
            let object = try? decoder.decode([String: ImportValue].self, from: Data(bytes))
            guard let object, withDecimals || object.values.allSatisfy(\.isTextOrWhole) else {
                return Line(
                    number: index + 1, content: .failure("it is no JSON object of \(kinds)"))
            }
            if let name = JSONMembers(of: bytes).firstRepeated {
                return Line(number: index + 1, content: .failure("it names \(BadLine.Reason(quoting: name)) twice"))
            }
            return Line(number: index + 1, content: .success(object.compactMapValues(\.text)))
        }
    }

    private func csvLines() -> some Sequence<Line> {
        var records = CSVRecords(bytes)
        let header = records.next()
        let names = (header?.fields ?? []).map { $0.trimmingCharacters(in: .whitespaces) }
        return records.lazy.map { record in
            if let problem = record.problem {
                return Line(number: record.line, content: .failure(BadLine.Reason(problem)))
            }
            guard record.fields.reduce(0, { $0 + $1.utf8.count }) <= Self.longestLine else {
                return Line(number: record.line, content: .failure(Self.tooLong))
            }
            guard record.fields.count == names.count else {
                return Line(
                    number: record.line,
                    content: .failure("it has \(record.fields.count) fields where the header names \(names.count)"))
            }
            let pairs = zip(names, record.fields).filter { !$0.1.isEmpty }
            return Line(number: record.line, content: .success(Dictionary(pairs) { first, _ in first }))
        }
    }

    /// The columns of a CSV file's header; nil for JSON Lines.
    var header: [String]? {
        guard bytes.first(where: { !Self.isSpace($0) }) != UInt8(ascii: "{") else { return nil }
        var records = CSVRecords(bytes)
        return records.next()?.fields.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// Why a CSV file cannot be read at all: of two columns with one name it is unclear which is meant.
    var refusal: BadLine.Reason? {
        var seen: Set<String> = []
        let repeated = (header ?? []).first { !$0.isEmpty && !seen.insert($0).inserted }
        return repeated.map { "the header names \(BadLine.Reason(quoting: $0)) twice" }
    }

    /// The same for a file that may have these columns only.
    func refusal(beside columns: [String]) -> BadLine.Reason? {
        refusal ?? BadLine.Reason.foreignColumn(in: header, beside: columns)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}

/// A value of an imported JSON object: a text, a number, true or false, or nothing.
private struct ImportValue: Decodable {
    /// Nil for null and for an empty text.
    let text: String?
    /// A whole number may be an id; anything else but a text is none.
    let isTextOrWhole: Bool

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            (text, isTextOrWhole) = (nil, true)
        } else if let string = try? container.decode(String.self) {
            (text, isTextOrWhole) = (string.isEmpty ? nil : string, true)
        } else if let whole = try? container.decode(Int64.self) {
            (text, isTextOrWhole) = (String(whole), true)
        } else if let choice = try? container.decode(Bool.self) {
            (text, isTextOrWhole) = (String(choice), false)
        } else {
            (text, isTextOrWhole) = (try container.decode(Decimal.self).description, false)
        }
    }
}

/// A line that was not taken, and why. Its values are shown only where they are short and no secret.
package struct BadLine: Sendable, Hashable {
    package struct Reason: Error, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
        package let description: String
        package init(_ text: String) { self.description = text }
        package init(stringLiteral value: String) { self.description = value }

        /// Why a CSV file with that header (nil: JSON Lines) cannot be read: it has columns that are not among these.
        static func foreignColumn(in header: [String]?, beside columns: [String]) -> Self? {
            guard let header, header.contains(where: { !columns.contains($0) }) else { return nil }
            return Self("the header must name columns among \(columns.joined(separator: ", "))")
        }

        /// A short value may be shown; a long one may be a receipt or a token in the wrong column.
        init(quoting text: String) {
            description =
                text.count <= 40 && PlainText.isPlain(text) ? "`\(text)`" : "of \(text.count) characters"
        }
    }

    package let number: Int
    package let reason: Reason
}
