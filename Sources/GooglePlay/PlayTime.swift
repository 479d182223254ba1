// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension Instant {
    /// From RFC 3339 with up to nine digits of a second, of which six are kept.
    init?(playTime text: String?) {
        guard var text else { return nil }
        if let dot = text.firstIndex(of: ".") {
            let first = text.index(after: dot)
            let end = text[first...].firstIndex { !$0.isNumber } ?? text.endIndex
            if let cut = text.index(first, offsetBy: 6, limitedBy: end) { text.removeSubrange(cut..<end) }
        }
        self.init(iso8601: text)
    }
}

extension Fields {
    /// An instant in RFC 3339; nil when it is absent or none.
    func time(_ name: String) -> Instant? { Instant(playTime: text(name)) }

    /// An amount; nil when it is absent or none.
    func money(_ name: String) -> PlayMoney? { value(name) }
}
