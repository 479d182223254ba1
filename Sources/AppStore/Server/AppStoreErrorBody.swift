// SPDX-License-Identifier: Apache-2.0

import Stores

/// The body of an answer that is an error.
struct AppStoreErrorBody: JSONReadable {
    let code: Int64?

    init(_ fields: Fields) { code = fields.integer("errorCode") }
}
