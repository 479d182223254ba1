// SPDX-License-Identifier: Apache-2.0

import Model

/// What a file's lines are read against.
struct ReferenceSetting {
    /// The configured apps, with their stores.
    let apps: [String: StoreKind]
    /// Of an exchange rate file: who published it, and what its rates are for.
    var source = "import"
    var base = ""
    /// The European Central Bank's file: a column per currency.
    var isByColumn = false
}
