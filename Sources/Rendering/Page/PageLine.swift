// SPDX-License-Identifier: Apache-2.0

/// One figure of one group of rows, by span of time: what is added on a span, or by how much a level moves on it.
///
/// A level that stays costs nothing: what it is on a span is the sum of its movements up to there.
struct PageLine {
    struct Entry: Equatable {
        let span: Int
        let value: Int64
    }

    /// In the order of the spans, none of them 0.
    private(set) var entries: [Entry] = []
    /// What a level was on the last span that it was known on.
    private var level: Int64 = 0
    private var lastSpan = Int.min

    init() {}

    init(_ entries: [Entry]) { self.entries = entries }

    var isLevel: Bool { level != 0 }

    /// So much more on that span alone.
    mutating func add(_ value: Int64, on span: Int) throws(ReportError) {
        guard value != 0 else { return }
        guard let last = entries.last, last.span >= span else {
            entries.append(Entry(span: span, value: value))
            return
        }
        guard let place = entries.firstIndex(where: { $0.span >= span }), entries[place].span == span else {
            entries.insert(Entry(span: span, value: value), at: entries.firstIndex { $0.span > span } ?? entries.count)
            return
        }
        let sum = try Self.sum(entries[place].value, value)
        if sum == 0 { entries.remove(at: place) } else { entries[place] = Entry(span: span, value: sum) }
    }

    /// The level of one more row on that span: rows of one span add up, and a span without a row has a level of 0.
    mutating func reach(_ value: Int64, on span: Int) throws(ReportError) {
        if span == lastSpan {
            level = try Self.sum(level, value)
            return try add(value, on: span)
        }
        try end(before: span)
        let moved = try Self.sum(value, -level)
        (level, lastSpan) = (value, span)
        try add(moved, on: span)
    }

    /// Where no row follows the level's last one, it falls to 0.
    mutating func end(before span: Int) throws(ReportError) {
        guard level != 0, lastSpan + 1 < span else { return }
        try add(-level, on: lastSpan + 1)
        level = 0
    }

    /// For each of those spans what is added on it, or of a level what it is.
    func values(in spans: ClosedRange<Int>, isLevel: Bool) throws(ReportError) -> [Int64] {
        var values = [Int64](repeating: 0, count: spans.count)
        for entry in entries where entry.span <= spans.upperBound {
            guard isLevel || entry.span >= spans.lowerBound else { continue }
            let place = max(0, entry.span - spans.lowerBound)
            values[place] = try Self.sum(values[place], entry.value)
        }
        guard isLevel else { return values }
        for place in values.indices.dropFirst() { values[place] = try Self.sum(values[place], values[place - 1]) }
        return values
    }

    /// All of them together.
    static func merged(_ lines: [PageLine]) throws(ReportError) -> PageLine {
        let filled = lines.filter { !$0.entries.isEmpty }
        guard filled.count > 1 else { return PageLine(filled.first?.entries ?? []) }
        var merged: [Entry] = []
        for entry in filled.flatMap(\.entries).sorted(by: { $0.span < $1.span }) {
            guard let last = merged.last, last.span == entry.span else {
                merged.append(entry)
                continue
            }
            merged.removeLast()
            let sum = try Self.sum(last.value, entry.value)
            if sum != 0 { merged.append(Entry(span: entry.span, value: sum)) }
        }
        return PageLine(merged)
    }

    /// The same, times a number, so many spans later.
    func entries(times factor: Int64, later spans: Int) -> PageLine {
        PageLine(entries.map { Entry(span: $0.span + spans, value: $0.value * factor) })
    }

    static func sum(of values: [Int64]) throws(ReportError) -> Int64 {
        var sum: Int64 = 0
        for value in values { sum = try Self.sum(sum, value) }
        return sum
    }

    static func sum(_ left: Int64, _ right: Int64) throws(ReportError) -> Int64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        guard !overflow else { throw ReportError(.definitions, "a sum of the page is beyond nine trillion") }
        return sum
    }
}
