// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How far a history was read; opaque to its reader.
struct Revision: Comparable {
    let at: Int64
    let id: String

    init(at: Int64, id: String) {
        self.at = at
        self.id = id
    }

    /// Nil for a text that no answer ever gave out; no text is the beginning.
    init?(_ text: String?, descending: Bool = false) {
        guard let text else {
            self.init(at: descending ? .max : .min, id: "")
            return
        }
        guard let data = Data(base64Encoded: text) else { return nil }
        let parts = String(decoding: data, as: UTF8.self).split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "r", let at = Int64(parts[1]) else { return nil }
        self.init(at: at, id: String(parts[2]))
    }

    var text: String { Data("r_\(at)_\(id)".utf8).base64EncodedString() }

    static func < (left: Revision, right: Revision) -> Bool { (left.at, left.id) < (right.at, right.id) }
}
