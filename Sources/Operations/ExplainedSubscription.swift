// SPDX-License-Identifier: Apache-2.0

package import Model
internal import Postgres
internal import SQLCatalog

/// A subscription as it is now, for `explain`.
package struct ExplainedSubscription: Sendable {
    package let lineageKey: SubscriptionKey
    package let appID: String
    package let store: String
    package let environment: String?
    /// The App Store's original transaction id; nil for Google Play, whose token is never shown.
    package let storeKey: String?
    package let hasReceipt: Bool
    package let accountID: String?
    package let productID: String?
    package let country: String?
    package let state: String
    package let stateRaw: String?
    package let autoRenew: Bool?
    /// Until when payments are committed to, on a plan that was cancelled.
    package let committedUntil: Instant?
    package let expiresAt: Instant?
    package let graceExpiresAt: Instant?
    package let endedAt: Instant?
    package let endReason: String?
    package let registeredAt: Instant
    package let hasAccess: Bool
    package let accessUntil: Instant?
    package let accessReason: String
    /// Nil: never again, unless something new is reported of it.
    package let nextCheckAt: Instant?
    package let nextCheckReason: String
    package let lastCheckedAt: Instant?
    package let lastRunID: Int64?
    package let failures: Int64
    package let lastError: String?

    init(_ row: PostgresRow) throws(PostgresError) {
        lineageKey = try row.subscriptionKey("lineage_key")
        appID = try row.string("app_id")
        store = try row.string("store")
        environment = try row.optionalString("environment")
        storeKey = try row.optionalString("store_key")
        hasReceipt = try row.bool("has_receipt")
        accountID = try row.optionalString("account_id")
        productID = try row.optionalString("product_id")
        country = try row.optionalString("country")
        state = try row.string("state")
        stateRaw = try row.optionalString("state_raw")
        autoRenew = try row.optionalBool("auto_renew")
        committedUntil = try row.optionalInstant("committed_until")
        expiresAt = try row.optionalInstant("expires_at")
        graceExpiresAt = try row.optionalInstant("grace_expires_at")
        endedAt = try row.optionalInstant("ended_at")
        endReason = try row.optionalString("end_reason")
        registeredAt = try row.instant("registered_at")
        hasAccess = try row.bool("has_access")
        accessUntil = try row.optionalInstant("access_until")
        accessReason = try row.string("access_reason")
        nextCheckAt = try row.optionalInstant("next_check_at")
        nextCheckReason = try row.string("next_check_reason")
        lastCheckedAt = try row.optionalInstant("last_checked_at")
        lastRunID = try row.optionalInt64("last_run_id")
        failures = try row.int64("failures")
        lastError = try row.optionalString("last_error")
    }
}
