// SPDX-License-Identifier: Apache-2.0

import Foundations

/// What goes into a parameter (`$n`) or a COPY column.
///
/// Sent in PostgreSQL's text format, except where a case says otherwise.
package enum PostgresValue: Sendable, Hashable {
    /// SQL NULL: the value is missing. Never the same as zero or an empty text.
    case null
    /// `text`, `varchar`, an enum's label, or anything else in its text form.
    case text(String)
    /// `smallint`, `integer` or `bigint`; amounts of money in micros of the currency.
    case int(Int64)
    /// `boolean`.
    case bool(Bool)
    /// `bytea`.
    case bytes([UInt8])
    /// `timestamptz`: microseconds since the Unix epoch. `Int64.min` is `-infinity`, `Int64.max` is `infinity`.
    case timestamp(micros: Int64)
    /// `date` as `yyyy-mm-dd`.
    case date(String)
    /// `bigint[]`.
    case intArray([Int64])
    /// `text[]`; a nil element is NULL.
    case textArray([String?])
    /// `text[]` of long texts, and nothing else: as a parameter it is sent in the binary format, in which neither we nor the server
    /// look at every byte of it for what must be escaped.
    case documentArray([String?])
    /// `json` or `jsonb`: the document as text.
    case json(String)
}

extension PostgresValue {
    /// `text`, or NULL for nil.
    package init(_ text: String?) {
        self = text.map(Self.text) ?? .null
    }

    /// `bigint`, or NULL for nil.
    package init(_ int: Int64?) {
        self = int.map(Self.int) ?? .null
    }

    /// `bigint`, or NULL for nil.
    package init(_ int: Int?) {
        self = int.map { .int(Int64($0)) } ?? .null
    }

    /// `boolean`, or NULL for nil.
    package init(_ bool: Bool?) {
        self = bool.map(Self.bool) ?? .null
    }

    /// `bytea`, or NULL for nil.
    package init(_ bytes: [UInt8]?) {
        self = bytes.map(Self.bytes) ?? .null
    }

    /// `timestamptz` from microseconds since the Unix epoch, or NULL for nil.
    package init(timestampMicros micros: Int64?) {
        self = micros.map { .timestamp(micros: $0) } ?? .null
    }

    /// `date` from `yyyy-mm-dd`, or NULL for nil.
    package init(date: String?) {
        self = date.map(Self.date) ?? .null
    }

    /// `jsonb`: an object of numbers, whatever a store has put into their names.
    package init(counts: [String: Int64]) {
        let members = counts.sorted { $0.key < $1.key }.map { "\(JSONText.quoted($0.key)): \($0.value)" }
        self = .json("{\(members.joined(separator: ", "))}")
    }

    /// `json` or `jsonb`, or NULL for nil.
    package init(json: String?) {
        self = json.map(Self.json) ?? .null
    }
}

extension PostgresValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByNilLiteral
{
    /// `text`.
    package init(stringLiteral value: String) {
        self = .text(value)
    }

    /// `bigint`.
    package init(integerLiteral value: Int64) {
        self = .int(value)
    }

    /// `boolean`.
    package init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// SQL NULL.
    package init(nilLiteral: ()) {
        self = .null
    }
}
