// SPDX-License-Identifier: Apache-2.0

package import Postgres

/// The checks of the tables that a store's words end up in, as the catalogue has them, and what stands before each: a reader that
/// keeps a strange word raw and counts it, or a word of our own that no store says.
package enum FilledChecks {
    private static let tables = ["transactions", "ledger_entries", "subscriptions", "state_changes"]

    /// By `table.constraint`; the members of the App Store's and Google Play's documents whose words come nearest to
    /// it.
    ///
    /// Empty: the program alone decides it.
    package static let guarded: [String: (appStore: [String], googlePlay: [String])] = [
        "transactions.ids_are_not_empty": (["transactionId", "productId"], ["orderId", "productId"]),
        "transactions.known_environments": (["environment"], []),
        "transactions.known_kinds": (["transactionReason", "type"], ["offerPhaseDetails"]),
        "transactions.known_offer_types": (["offerType", "offerDiscountType"], ["offerPhaseDetails", "offerId"]),
        "transactions.known_ownerships": (["inAppOwnershipType"], []),
        "transactions.known_price_sources": ([], []),
        "transactions.known_proceeds_sources": ([], []),
        "transactions.known_refund_kinds": (["revocationType", "revocationPercentage"], ["state"]),
        "transactions.known_refund_reasons": (["revocationReason"], ["refundReason"]),
        "transactions.known_refund_sources": ([], []),
        "transactions.countries_are_iso_codes": (["storefront"], ["regionCode", "buyerCountry"]),
        "transactions.currencies_are_iso_codes": (["currency"], ["currencyCode"]),
        "transactions.quantities_are_positive": (["quantity"], ["quantity"]),
        "transactions.seats_are_not_negative": (["revokedSeatQuantity", "quantity"], []),
        "transactions.prices_are_not_negative": (["price"], ["units", "nanos"]),
        "transactions.recurring_prices_are_positive": ([], ["recurringPrice"]),
        "transactions.store_discounts_are_positive": ([], ["pointsCouponValue"]),
        "transactions.periods_run_forward": (
            ["purchaseDate", "expiresDate"], ["servicePeriodStartTime", "servicePeriodEndTime"]
        ),
        "transactions.one_time_sales_have_no_end": (["type", "expiresDate"], ["subscriptionDetails"]),
        "transactions.known_prices_have_a_currency": (["currency", "price"], ["currencyCode"]),
        "transactions.missing_prices_are_null": (["price"], ["total"]),
        "transactions.refunds_say_when_and_how": (["revocationDate"], ["refundEvent", "partialRefundEvents"]),
        "transactions.refunds_are_not_negative": (["revocationPercentage"], ["refundDetails"]),
        "transactions.refund_amounts_belong_to_refunds": (["revocationDate"], ["partialRefundEvents"]),
        "transactions.refund_parts_belong_to_refunds": (["revocationDate"], ["partialRefundEvents"]),
        "transactions.refund_reasons_belong_to_refunds": (["revocationReason"], ["refundReason"]),
        "ledger_entries.known_kinds": ([], []),
        "ledger_entries.known_sources": ([], []),
        "ledger_entries.currencies_are_iso_codes": (["currency"], ["currencyCode"]),
        "ledger_entries.amounts_are_not_zero": (["price"], ["units", "nanos"]),
        "ledger_entries.amounts_carry_their_sign": (["price", "revocationPercentage"], ["units", "refundDetails"]),
        "ledger_entries.charges_are_first_entries": ([], []),
        "ledger_entries.entries_count_from_one": ([], []),
        "ledger_entries.corrections_name_what_they_correct": ([], []),
        "subscriptions.keys_are_not_negative": ([], []),
        "subscriptions.store_keys_are_not_empty": (["originalTransactionId"], ["purchaseToken"]),
        "subscriptions.known_environments": (["environment"], []),
        "subscriptions.known_states": (["status"], ["subscriptionState"]),
        "subscriptions.known_end_reasons": (["expirationIntent"], ["canceledStateContext"]),
        "subscriptions.known_check_reasons": ([], []),
        "subscriptions.countries_are_iso_codes": ([], []),
        "subscriptions.failures_are_not_negative": ([], []),
        "subscriptions.renewal_prices_are_not_negative": (["renewalPrice"], ["recurringPrice"]),
        "subscriptions.renewal_currencies_are_iso_codes": (["currency"], ["currencyCode"]),
        "subscriptions.renewal_prices_have_a_currency": (["renewalPrice", "currency"], ["recurringPrice"]),
        "subscriptions.only_ended_subscriptions_have_a_reason": (
            ["status", "expirationIntent"], ["subscriptionState", "canceledStateContext"]
        ),
        "subscriptions.refunded_means_revoked": (["revocationDate", "status"], ["state", "subscriptionState"]),
        "subscriptions.ended_subscriptions_say_when": (
            ["expiresDate", "status"], ["expiryTime", "subscriptionState"]
        ),
        "subscriptions.verified_means_checked": ([], []),
        "state_changes.changes_count_from_one": ([], []),
        "state_changes.known_states": (["status"], ["subscriptionState"]),
        "state_changes.known_end_reasons": (["expirationIntent"], ["canceledStateContext"]),
    ]

    /// A vocabulary: a word that is strange to it is counted.
    package static func isVocabulary(_ check: String) -> Bool {
        check.contains(".known_") && !check.contains("known_prices") || check.hasSuffix("_iso_codes")
    }

    /// Every check on those tables.
    package static func inCatalogue(_ connection: PostgresConnection) async throws -> Set<String> {
        let found = try await connection.lines(
            """
            select class.relname || '.' || con.conname
            from pg_constraint con
            join pg_class class on class.oid = con.conrelid
            join pg_namespace space on space.oid = class.relnamespace
            where con.contype = 'c' and space.nspname = 'subledger'
                and class.relname in (\(tables.map { "'\($0)'" }.joined(separator: ", ")))
            """)
        return Set(found)
    }
}
