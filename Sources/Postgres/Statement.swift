// SPDX-License-Identifier: Apache-2.0

/// One SQL text with the name it has in the repository, so that logs and errors can say which statement failed.
package struct Statement: Sendable, Hashable {
    /// The file below `sql/`, for example `load/upsert_transactions.sql`.
    package let name: String
    /// The SQL.
    ///
    /// Values are never in it: they are `$n` parameters or COPY columns.
    package let text: String

    /// A statement of that name and text.
    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
