// SPDX-License-Identifier: Apache-2.0

import Stores

/// How a page of a history joins the next one: all that is to be known of it while the others are asked for.
struct HistoryPosition: JSONReadable {
    /// Where the next page, or the next night, goes on; nil when the store gave none.
    let revision: String?
    let hasMore: Bool
    let listsNothing: Bool

    init(_ fields: Fields) {
        revision = fields.text("revision")
        hasMore = fields.flag("hasMore") ?? false
        listsNothing = fields.count(of: "signedTransactions") == 0
    }
}
