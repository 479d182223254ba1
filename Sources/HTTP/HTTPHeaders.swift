// SPDX-License-Identifier: Apache-2.0

/// The header fields of an answer, in the order they came.
///
/// Kept as the block of bytes the server sent and read on demand: a caller looks at two or three fields of twenty, and
/// thousands of answers a second should not pay for the rest.
package struct HTTPHeaders: Sendable {
    private let block: [UInt8]

    /// Takes lines of the form `Name: value` that end in CR LF or LF; other lines are passed over.
    init(block: [UInt8]) {
        self.block = block
    }

    /// The first value of the field, or nil.
    ///
    /// Names are compared without regard to case.
    package subscript(name: String) -> String? {
        var first: String?
        scan { field, value in
            guard Self.matches(field, name) else { return true }
            first = String(decoding: value, as: UTF8.self)
            return false
        }
        return first
    }

    /// Every value of the field, in order: one for each line that bears the name.
    package func values(for name: String) -> [String] {
        var all: [String] = []
        scan { field, value in
            if Self.matches(field, name) { all.append(String(decoding: value, as: UTF8.self)) }
            return true
        }
        return all
    }

    /// All fields in order, names as the server wrote them.
    package var fields: [(name: String, value: String)] {
        var all: [(name: String, value: String)] = []
        scan { field, value in
            all.append((String(decoding: field, as: UTF8.self), String(decoding: value, as: UTF8.self)))
            return true
        }
        return all
    }

    /// Calls the body with each name and trimmed value until it returns false.
    private func scan(_ body: (ArraySlice<UInt8>, ArraySlice<UInt8>) -> Bool) {
        for line in block.split(separator: UInt8(ascii: "\n")) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { continue }
            guard body(line[..<colon], Self.trimmed(line[(colon + 1)...])) else { return }
        }
    }

    private static func trimmed(_ slice: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        guard let first = slice.firstIndex(where: { !isBlank($0) }),
            let last = slice.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return slice[first...last]
    }

    private static func matches(_ field: ArraySlice<UInt8>, _ name: String) -> Bool {
        field.count == name.utf8.count && zip(field, name.utf8).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Leaves out the values: a server may repeat a token in them.
    package var description: String { "\(fields.count) header fields" }

    package var debugDescription: String { description }

    /// Shows no parts, so that `dump` and failed expectations cannot print them either.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
