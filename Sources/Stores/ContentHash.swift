// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing

/// Shows whether an answer holds anything new: a digest of its content without what changes on every reading, and
/// whatever the order of its arrays and members.
package enum ContentHash {
    /// SHA-256, hex. Signed texts count by what they say. A body that is no JSON is hashed as it is.
    package static func of(
        _ body: [UInt8], without dropped: Set<String>, expanding payloads: [String: [UInt8]] = [:]
    ) -> String {
        let content = Content(dropped: dropped, payloads: payloads)
        guard let value = try? JSONSerialization.jsonObject(with: Data(body)) else {
            return Hex.encode(SHA256.digest(body))
        }
        return Hex.encode(SHA256.digest(content.canonical(value)))
    }

    /// Writes values in one form only: each text with its length before it, members and elements sorted.
    private struct Content {
        let dropped: Set<String>
        let payloads: [String: [UInt8]]

        func canonical(_ value: Any) -> [UInt8] {
            switch value {
            case let text as String: canonical(text)
            case let object as [String: Any]:
                joined(
                    "{",
                    object.filter { !dropped.contains($0.key) }.map { framed($0.key.utf8) + canonical($0.value) })
            case let array as [Any]: joined("[", array.map(canonical))
            default: framed("\(value)".utf8)
            }
        }

        private func canonical(_ text: String) -> [UInt8] {
            guard let json = payloads[text], let inner = try? JSONSerialization.jsonObject(with: Data(json)) else {
                return framed(text.utf8)
            }
            return canonical(inner)
        }

        private func joined(_ mark: String, _ parts: [[UInt8]]) -> [UInt8] {
            let sorted = parts.sorted { $0.lexicographicallyPrecedes($1) }
            return sorted.reduce(into: Array("\(mark)\(parts.count):".utf8)) { $0 += $1 }
        }

        private func framed(_ bytes: String.UTF8View) -> [UInt8] { Array("\(bytes.count):".utf8) + bytes }
    }
}
