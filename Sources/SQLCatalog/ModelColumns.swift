// SPDX-License-Identifier: Apache-2.0

package import Model
package import Postgres

// How columns and parameters represent the model's values: one place for every stage that speaks SQL.

extension PostgresValue {
    /// `timestamptz`; the distant past and future are its infinities.
    package init(_ instant: Instant) { self = .timestamp(micros: instant.micros) }

    /// `timestamptz`, or NULL for nil.
    package init(_ instant: Instant?) { self.init(timestampMicros: instant?.micros) }

    package init(_ key: SubscriptionKey) { self = .int(key.rawValue) }

    package init(_ app: AppID) { self = .text(app.rawValue) }

    /// A word of the vocabulary as `text`.
    package init<Word: RawRepresentable>(_ word: Word) where Word.RawValue == String { self = .text(word.rawValue) }

    /// A word of the vocabulary as `text`, or NULL for nil.
    package init<Word: RawRepresentable>(_ word: Word?) where Word.RawValue == String { self.init(word?.rawValue) }
}

extension PostgresRow {
    package func instant(_ column: String) throws(PostgresError) -> Instant {
        Instant(micros: try timestampMicros(column))
    }

    package func optionalInstant(_ column: String) throws(PostgresError) -> Instant? {
        try optionalTimestampMicros(column).map(Instant.init(micros:))
    }

    /// The columns `renewal_price_micros` and `renewal_currency`; nil where the store said no price.
    package func renewalPrice() throws(PostgresError) -> RenewalPrice? {
        guard let micros = try optionalInt64("renewal_price_micros"),
            let currency = try optionalString("renewal_currency")
        else { return nil }
        return RenewalPrice(micros: micros, currency: currency)
    }

    package func subscriptionKey(_ column: String) throws(PostgresError) -> SubscriptionKey {
        SubscriptionKey(try int64(column))
    }

    /// A word of the vocabulary; one that this program does not know throws `.decoding`: the schema is newer than it.
    package func word<Word: RawRepresentable>(_ column: String, as type: Word.Type) throws(PostgresError) -> Word
    where Word.RawValue == String {
        guard let word = try optionalWord(column, as: type) else {
            throw PostgresError(.decoding, "column \(column) is NULL where a word was expected")
        }
        return word
    }

    /// A word of the vocabulary, or nil for NULL.
    package func optionalWord<Word: RawRepresentable>(
        _ column: String, as type: Word.Type
    ) throws(PostgresError) -> Word? where Word.RawValue == String {
        guard let text = try optionalString(column) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw PostgresError(.decoding, "column \(column) holds a word this version does not know")
        }
        return word
    }
}
