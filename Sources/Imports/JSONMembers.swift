// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The names of the members of one flat JSON object, which is known to be well formed: decoders silently keep one of
/// two members with the same name.
struct JSONMembers {
    private let bytes: ArraySlice<UInt8>

    init(of object: ArraySlice<UInt8>) { bytes = object }

    /// A name that occurs twice; nil where each occurs once.
    var firstRepeated: String? {
        var seen: Set<String> = []
        var place = bytes.startIndex
        while let start = bytes[place...].firstIndex(of: Self.quote) {
            let end = self.end(ofTextAt: start)
            place = min(end + 1, bytes.endIndex)
            // Of the texts only a name is followed by a colon.
            guard bytes[place...].first(where: { !Self.spaces.contains($0) }) == UInt8(ascii: ":") else { continue }
            let name = Self.decoded(bytes[start..<place])
            guard seen.insert(name).inserted else { return name }
        }
        return nil
    }

    private static let quote = UInt8(ascii: "\"")
    private static let spaces: Set<UInt8> = [32, 9, 10, 13]

    /// Where the quote is that closes it.
    private func end(ofTextAt start: Int) -> Int {
        var place = start + 1
        while place < bytes.endIndex, bytes[place] != Self.quote {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return place
    }

    /// A quoted text without its quotes, and with its escapes resolved.
    private static func decoded(_ quoted: ArraySlice<UInt8>) -> String {
        guard quoted.contains(UInt8(ascii: "\\")) else {
            return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
        }
        let list = Data([UInt8(ascii: "[")] + quoted + [UInt8(ascii: "]")])
        return (try? JSONDecoder().decode([String].self, from: list))?.first ?? String(decoding: quoted, as: UTF8.self)
    }
}
