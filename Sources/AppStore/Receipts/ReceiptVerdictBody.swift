// SPDX-License-Identifier: Apache-2.0

import Stores

/// The part of an answer that says whether to read the rest.
struct ReceiptVerdictBody: JSONReadable {
    let status: Int64?
    let isRetryable: Bool?

    init(_ fields: Fields) {
        status = fields.integer("status")
        isRetryable = fields.flag("is-retryable") ?? fields.flag("is_retryable")
    }
}
