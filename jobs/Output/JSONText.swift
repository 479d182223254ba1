// SPDX-License-Identifier: Apache-2.0

import Foundation

/// JSON with its keys in order and named as the tables' columns are, so that the same values give the same text.
enum JSONText {
    /// On one line.
    static func line(_ value: some Encodable) -> String { encode(value, [.sortedKeys, .withoutEscapingSlashes]) }

    /// Indented, for people and `jq`.
    static func pretty(_ value: some Encodable) -> String {
        encode(value, [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted])
    }

    private static func encode(_ value: some Encodable, _ format: JSONEncoder.OutputFormatting) -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = format
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
