// SPDX-License-Identifier: Apache-2.0

/// PostgreSQL's binary form of `text[]` (`array_recv`): texts as they are, with their lengths before them.
enum BinaryArray {
    /// The type `text` in the server's catalogue, the same in every one.
    private static let textType: Int32 = 25

    static func append(_ elements: [String?], to bytes: inout [UInt8]) {
        let dimensions: Int32 = elements.isEmpty ? 0 : 1
        append(dimensions, to: &bytes)
        append(elements.contains(nil) ? 1 : 0, to: &bytes)
        append(textType, to: &bytes)
        guard dimensions > 0 else { return }
        append(Int32(elements.count), to: &bytes)
        append(1, to: &bytes)  // The first element's subscript.
        for element in elements {
            append(element.map { Int32($0.utf8.count) } ?? -1, to: &bytes)
            if let element { bytes += element.utf8 }
        }
    }

    private static func append(_ number: Int32, to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: number.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }
}
