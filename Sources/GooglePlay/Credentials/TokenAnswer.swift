// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// What the token endpoint answers, good or bad.
struct TokenAnswer: JSONReadable {
    let accessToken: Secret?
    /// Seconds; some issuers send a text.
    let expiresIn: Int64?
    let hasNewRefreshToken: Bool
    /// The word of a refusal; never the description, which may quote.
    let error: String?
    let errorSubtype: String?

    init(_ fields: Fields) {
        accessToken = fields.text("access_token").map(Secret.init)
        expiresIn = fields.integer("expires_in")
        hasNewRefreshToken = fields.has("refresh_token")
        error = fields.text("error")?.asWord
        errorSubtype = fields.text("error_subtype")?.asWord
    }
}

extension String {
    /// A store's word as it may appear in tables and sentences: letters, digits and underscores, not too long.
    ///
    /// Nil for what is no word.
    var asWord: String? {
        let isWord =
            !isEmpty && utf8.count <= 60
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        return isWord ? self : nil
    }
}
