// SPDX-License-Identifier: Apache-2.0

package import Postgres

extension Statement {
    /// A statement that a test makes up.
    package static func test(_ text: String) -> Statement {
        Statement(name: "test/statement.sql", text: text)
    }
}
