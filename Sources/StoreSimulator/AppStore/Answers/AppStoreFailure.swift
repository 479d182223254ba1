// SPDX-License-Identifier: Apache-2.0

/// What the App Store Server API says of a request that it refuses.
struct AppStoreFailure: Hashable, Sendable {
    let code: Int64
    let message: String

    private init(_ code: Int64, _ message: String) {
        self.code = code
        self.message = message
    }

    static let unknownRevision = AppStoreFailure(4_000_005, "Invalid request revision.")
    static let malformedID = AppStoreFailure(4_000_006, "Invalid transaction id.")
    static let tooLongAgo = AppStoreFailure(4_000_012, "Invalid request. Start date too far in past.")
    static let endsBeforeStart = AppStoreFailure(4_000_013, "Invalid request. Start date is after end date.")
    static let unknownPage = AppStoreFailure(4_000_014, "Invalid request. Invalid pagination token.")
    static let noStartDate = AppStoreFailure(4_000_015, "Invalid request. Invalid start date.")
    static let noEndDate = AppStoreFailure(4_000_016, "Invalid request. Invalid end date.")
    static let expiredPage = AppStoreFailure(4_000_017, "Invalid request. Pagination token expired.")
    static let unknownType = AppStoreFailure(4_000_018, "Invalid request. Invalid notification type.")
    static let twoFilters = AppStoreFailure(4_000_019, "Invalid request. Multiple filters supplied.")
    static let invalidSort = AppStoreFailure(4_000_021, "Invalid request. Invalid sort.")
    static let invalidProductType = AppStoreFailure(4_000_022, "Invalid request. Invalid product type.")
    static let invalidRevoked = AppStoreFailure(4_000_030, "Invalid request. Invalid revoked.")
    /// For an app without a server to notify.
    static let noNotificationURL = AppStoreFailure(
        4_040_007, "No App Store Server Notification URL found for provided app.")
    static let unknownTransaction = AppStoreFailure(4_040_010, "Transaction id not found.")
    static let overTheRate = AppStoreFailure(4_290_000, "Rate limit exceeded.")
    static let retryable = AppStoreFailure(5_000_001, "An unknown error occurred. Please try again.")
}
