// SPDX-License-Identifier: Apache-2.0

/// One row of an answer, read column by column by name.
///
/// Every type has two forms: the plain one throws for NULL, the `optional` one gives nil. Both throw `.decoding`,
/// naming column, expected type and statement (never the value), if the column is missing or holds something else.
package struct PostgresRow: Sendable {
    private let result: QueryResult
    private let index: Int

    init(result: QueryResult, index: Int) {
        self.result = result
        self.index = index
    }

    /// The value decoded by `decode`, nil for NULL.
    func optional<T>(_ column: String, as type: String, _ decode: (String) -> T?) throws(PostgresError) -> T? {
        guard let number = result.columns[column] else { throw failure(column, "is not in the answer") }
        guard let text = result.text(row: index, column: number) else { return nil }
        guard let value = decode(text) else { throw failure(column, "does not hold a \(type)") }
        return value
    }

    /// The value decoded by `decode`; NULL is an error.
    func required<T>(_ column: String, as type: String, _ decode: (String) -> T?) throws(PostgresError) -> T {
        guard let value = try optional(column, as: type, decode) else {
            throw failure(column, "is NULL where a \(type) is expected")
        }
        return value
    }

    /// Every value as the text the server gives for it, in the order of the columns; nil for NULL.
    package var texts: [String?] {
        (0..<Int32(result.columns.count)).map { result.text(row: index, column: $0) }
    }

    private func failure(_ column: String, _ problem: String) -> PostgresError {
        var error = PostgresError(.decoding, "column \(column) \(problem)", statement: result.statement)
        error.column = column
        return error
    }
}
