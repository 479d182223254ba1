// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing

/// Tells whether an answer says anything new: a digest of its content without what changes on every reading, and
/// whatever the order of its arrays.
enum ContentHash {
    /// SHA-256, hex. Signed texts count by what they say. A body that is no JSON is hashed as it is.
    static func of(_ body: [UInt8], without dropped: Set<String>, expanding payloads: [String: [UInt8]] = [:]) -> String
    {
        let walk = Walk(dropped: dropped, payloads: payloads)
        guard let value = try? JSONSerialization.jsonObject(with: Data(body)),
            let canonical = walk.text(of: walk.canonical(value))
        else { return Hex.encode(SHA256.digest(body)) }
        return Hex.encode(SHA256.digest(canonical))
    }

    private struct Walk {
        let dropped: Set<String>
        let payloads: [String: [UInt8]]

        func canonical(_ value: Any) -> Any {
            switch value {
            case let object as [String: Any]:
                return object.filter { !dropped.contains($0.key) }.mapValues(canonical)
            case let array as [Any]:
                return array.map(canonical).sorted { lexically(text(of: $0), text(of: $1)) }
            case let text as String:
                guard let json = payloads[text],
                    let inner = try? JSONSerialization.jsonObject(with: Data(json))
                else { return text }
                return canonical(inner)
            default:
                return value
            }
        }

        func text(of value: Any) -> [UInt8]? {
            let options: JSONSerialization.WritingOptions = [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes]
            return (try? JSONSerialization.data(withJSONObject: value, options: options)).map(Array.init)
        }

        private func lexically(_ left: [UInt8]?, _ right: [UInt8]?) -> Bool {
            (left ?? []).lexicographicallyPrecedes(right ?? [])
        }
    }
}
