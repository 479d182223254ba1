// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// The index of the next such byte, at `start` or behind it; nil where there is none.
    package func place(of byte: UInt8, from start: Int) -> Int? { self[start...].place(of: byte) }

    /// Whether these bytes are at that index.
    package func contains(_ other: [UInt8], at place: Int) -> Bool {
        place + other.count <= count && self[place..<(place + other.count)].isSame(as: other[...])
    }

    /// The index of the quotation mark that ends a text, which begins at `start`; nil where there is none.
    ///
    /// Hardly any text has escapes.
    package func endOfText(from start: Int) -> Int? {
        guard let quote = place(of: UInt8(ascii: "\""), from: start) else { return nil }
        guard self[start..<quote].hasEscape else { return quote }
        var place = start
        while place < count, self[place] != UInt8(ascii: "\"") { place += self[place] == UInt8(ascii: "\\") ? 2 : 1 }
        return place < count ? place : nil
    }
}

extension ArraySlice<UInt8> {
    /// It has a reverse solidus.
    var hasEscape: Bool { place(of: UInt8(ascii: "\\")) != nil }

    /// It has nothing below the space.
    var hasNoControls: Bool {
        var least = UInt8.max
        let span = span
        for place in span.indices { least = Swift.min(least, span[place]) }
        return least >= 0x20
    }
}

extension [UInt8] {
    /// Whether it begins and ends as a JSON object does: cheap, and good enough to notice an error page or a cut body; the reader
    /// looks closely.
    package var looksLikeObject: Bool {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = first(where: { !isBlank($0) }), let last = last(where: { !isBlank($0) }) else { return false }
        return first == UInt8(ascii: "{") && last == UInt8(ascii: "}")
    }
}
