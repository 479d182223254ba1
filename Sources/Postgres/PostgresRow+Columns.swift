// SPDX-License-Identifier: Apache-2.0

extension PostgresRow {
    /// Any type as the text the server gives for it.
    package func string(_ column: String) throws(PostgresError) -> String {
        try required(column, "text") { $0 }
    }

    /// Any type as text, nil for NULL.
    package func optionalString(_ column: String) throws(PostgresError) -> String? {
        try optional(column, "text") { $0 }
    }

    /// `smallint`, `integer` or `bigint`.
    package func int64(_ column: String) throws(PostgresError) -> Int64 {
        try required(column, "bigint") { Int64($0) }
    }

    /// `smallint`, `integer` or `bigint`, nil for NULL.
    package func optionalInt64(_ column: String) throws(PostgresError) -> Int64? {
        try optional(column, "bigint") { Int64($0) }
    }

    /// `smallint`, `integer` or `bigint`, for counts.
    package func int(_ column: String) throws(PostgresError) -> Int {
        try required(column, "integer") { Int($0) }
    }

    /// `smallint`, `integer` or `bigint`, for counts, nil for NULL.
    package func optionalInt(_ column: String) throws(PostgresError) -> Int? {
        try optional(column, "integer") { Int($0) }
    }

    /// `boolean`.
    package func bool(_ column: String) throws(PostgresError) -> Bool {
        try required(column, "boolean", Self.bool)
    }

    /// `boolean`, nil for NULL.
    package func optionalBool(_ column: String) throws(PostgresError) -> Bool? {
        try optional(column, "boolean", Self.bool)
    }

    /// `bytea`.
    package func bytes(_ column: String) throws(PostgresError) -> [UInt8] {
        try required(column, "bytea", ByteaText.parse)
    }

    /// `timestamptz`: microseconds since the Unix epoch; `infinity` is `Int64.max`, `-infinity` is `Int64.min`.
    package func timestampMicros(_ column: String) throws(PostgresError) -> Int64 {
        try required(column, "timestamptz", InstantText.parse)
    }

    /// `timestamptz` as microseconds since the Unix epoch, nil for NULL.
    package func optionalTimestampMicros(_ column: String) throws(PostgresError) -> Int64? {
        try optional(column, "timestamptz", InstantText.parse)
    }

    /// `bigint[]` without NULL elements.
    package func int64Array(_ column: String) throws(PostgresError) -> [Int64] {
        try required(column, "bigint[]", Self.int64s)
    }

    /// `text[]`; a NULL element is nil.
    package func textArray(_ column: String) throws(PostgresError) -> [String?] {
        try required(column, "text[]", ArrayText.parse)
    }

    /// `text[]`, empty for NULL; a NULL element is nil.
    package func optionalTextArray(_ column: String) throws(PostgresError) -> [String?] {
        try optional(column, "text[]", ArrayText.parse) ?? []
    }

    /// `json` or `jsonb`: the document as text.
    package func json(_ column: String) throws(PostgresError) -> String {
        try required(column, "json document") { $0 }
    }

    private static func bool(_ text: String) -> Bool? {
        text == "t" ? true : text == "f" ? false : nil
    }

    private static func int64s(_ text: String) -> [Int64]? {
        guard let elements = ArrayText.parse(text) else { return nil }
        let numbers = elements.compactMap { $0.flatMap { Int64($0) } }
        return numbers.count == elements.count ? numbers : nil
    }
}
