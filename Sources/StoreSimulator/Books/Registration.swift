// SPDX-License-Identifier: Apache-2.0

/// A purchase as the app's backend hands it in: a first purchase, or a repurchase after a lapse; on Google Play every
/// purchase, since each has a token of its own.
package struct Registration: Hashable, Sendable, Codable {
    package var appID: String
    /// The original transaction id; the purchase token.
    package var storeKey: String
    package var accountID: String
    package var productID: String
    package var environment: StoreEnvironment
    /// The expiry of the period just bought; microseconds since the Unix epoch.
    package var expiresAt: Int64?
    /// Base64, for apps that are read through verifyReceipt.
    package var receipt: String?
    /// ISO 3166-1 alpha-2; nil for apps that are read through verifyReceipt, whose books know no country.
    package var country: String?
}
