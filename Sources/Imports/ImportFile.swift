// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model

/// A file to import: JSON Lines, or CSV whose first line names the columns.
///
/// Which of them shows by its first character.
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

    /// Lines in their order; empty ones are left out.
    ///
    /// `withDecimals`: a JSON number may have a fraction (a price, a rate).
    func lines(withDecimals: Bool = false) -> AnySequence<Line> {
        let first = bytes.first { ![UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains($0) }
        return first == UInt8(ascii: "{") ? AnySequence(jsonLines(withDecimals)) : AnySequence(csvLines())
    }

    private func jsonLines(_ withDecimals: Bool) -> some Sequence<Line> {
        let kinds: BadLine.Reason = withDecimals ? "texts and numbers" : "texts and whole numbers"
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.enumerated().lazy.filter { !$0.element.allSatisfy(Self.isSpace) }.map { index, bytes in
            guard bytes.count <= Self.longestLine else {
                return Line(number: index + 1, content: .failure(Self.tooLong))
            }
            guard let members = Self.members(of: Array(bytes)),
                withDecimals || members.allSatisfy(\.value.isTextOrWhole)
            else {
                return Line(
                    number: index + 1, content: .failure("it is no JSON object of \(kinds)"))
            }
            var seen: Set<String> = []
            if let repeated = members.first(where: { !seen.insert($0.name).inserted }) {
                return Line(
                    number: index + 1, content: .failure("it names \(BadLine.Reason(quoting: repeated.name)) twice"))
            }
            let texts = members.compactMap { member in member.value.text.map { (member.name, $0) } }
            return Line(number: index + 1, content: .success(Dictionary(texts) { first, _ in first }))
        }
    }

    /// Nil for what is no JSON object of values that can be imported.
    private static func members(of line: [UInt8]) -> [(name: String, value: ImportValue)]? {
        guard let document = JSONDocument(line), !document.hasLoneSurrogate, let members = document.root.members else {
            return nil
        }
        let values = members.compactMap { member in
            ImportValue(member.value, of: document).map { (name: member.name, value: $0) }
        }
        return values.count == members.count ? values : nil
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
