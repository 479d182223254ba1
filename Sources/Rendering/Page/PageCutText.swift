// SPDX-License-Identifier: Apache-2.0

/// A cut of a report's figures as the page's script reads it: JSON whose numbers are letters.
///
/// Numbers are written in digits of 32, the lowest first, each a letter of base 64 with the bit 32 where another one follows; of
/// those that may be negative the lowest bit is the sign. `groups` has, column by column, how far each group's value is from the
/// one before; `spans` the spans that anything is on, group by group; and each line, for groups that have any of it, how many
/// groups without come before, how its values are written, and its values:
/// 1: one for each of the group's spans; 2: one for all of them; 3: the same as the amount in its own currency; from 4 on: so many
/// less three, each behind how many spans further it is.
struct PageCutText {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    let json: String

    init(_ grain: PageGrain, of cube: PageCube) throws(ReportError) {
        let keys = grain.groups.keys.sorted { $0.lexicographicallyPrecedes($1) }
        let groups = try keys.map { key throws(ReportError) in
            try PageResiduals(grain.groups[key], hasCurrency: grain.hasCurrency, of: cube).lines
        }
        let spans = groups.map { lines in Set(lines.flatMap { $0.map(\.span) }).sorted() }
        let names = grain.columns.map(PageData.text).joined(separator: ",")
        let lines = cube.layout.lines.compactMap { Self.line($0, of: groups, on: spans, in: cube.layout) }
        json =
            "{\"keys\":[\(names)],\"count\":\(keys.count),\"groups\":\"\(Self.groups(keys, grain.columns.count))\","
            + "\"spans\":\"\(Self.spans(spans))\",\"lines\":[\(lines.joined(separator: ","))]}"
    }

    private static func groups(_ keys: [[Int32]], _ count: Int) -> String {
        var text: [UInt8] = []
        for column in 0..<count {
            var before: Int64 = 0
            for key in keys {
                append(Int64(key[column]) - before, to: &text)
                before = Int64(key[column])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func spans(_ groups: [[Int]]) -> String {
        var text: [UInt8] = []
        for spans in groups {
            append(UInt64(spans.count), to: &text)
            var before = 0
            for span in spans {
                append(UInt64(span - before), to: &text)
                before = span
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil of a line that nothing is on.
    ///
    /// All values are so many units of a power of ten.
    private static func line(
        _ line: Int, of groups: [[[PageLine.Entry]]], on spans: [[Int]], in layout: PageLayout
    ) -> String? {
        let own = layout.ownLine(of: line)
        let written = groups.indices.filter { !groups[$0][line].isEmpty }
        guard !written.isEmpty else { return nil }
        let exponent = exponent(written.lazy.flatMap { groups[$0][line] })
        let unit = (0..<exponent).reduce(Int64(1)) { unit, _ in unit * 10 }
        var text: [UInt8] = []
        var next = 0
        for group in written {
            append(UInt64(group - next), to: &text)
            next = group + 1
            if let own, groups[group][own] == groups[group][line] {
                append(UInt64(3), to: &text)
            } else {
                append(groups[group][line], of: unit, on: spans[group], to: &text)
            }
        }
        return "[\(line),\(exponent),\"\(String(decoding: text, as: UTF8.self))\"]"
    }

    private static func append(_ entries: [PageLine.Entry], of unit: Int64, on spans: [Int], to text: inout [UInt8]) {
        if entries.count == spans.count {
            let isConstant = entries.allSatisfy { $0.value == entries[0].value }
            append(UInt64(isConstant ? 2 : 1), to: &text)
            for entry in isConstant ? entries.prefix(1) : entries[...] { append(entry.value / unit, to: &text) }
            return
        }
        append(UInt64(entries.count + 3), to: &text)
        var (place, before) = (0, 0)
        for entry in entries {
            while spans[place] < entry.span { place += 1 }
            append(UInt64(place - before), to: &text)
            append(entry.value / unit, to: &text)
            before = place
        }
    }

    /// The highest power of ten, up to a million, that all are multiples of.
    private static func exponent(_ entries: some Sequence<PageLine.Entry>) -> Int {
        var (exponent, unit) = (6, Int64(1_000_000))
        for entry in entries {
            while entry.value % unit != 0 { (exponent, unit) = (exponent - 1, unit / 10) }
            if exponent == 0 { return 0 }
        }
        return exponent
    }

    private static func append(_ value: Int64, to text: inout [UInt8]) {
        append(value.magnitude << 1 | (value < 0 ? 1 : 0), to: &text)
    }

    private static func append(_ value: UInt64, to text: inout [UInt8]) {
        var rest = value
        while rest >= 32 {
            text.append(digits[Int(rest & 31 | 32)])
            rest >>= 5
        }
        text.append(digits[Int(rest)])
    }
}
