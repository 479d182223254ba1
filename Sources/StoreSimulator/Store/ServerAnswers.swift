// SPDX-License-Identifier: Apache-2.0

/// The bodies of the App Store Server API.
enum ServerAnswers {
    struct Statuses: Encodable {
        struct Group: Encodable {
            var subscriptionGroupIdentifier: String
            var lastTransactions: [Entry]
        }
        struct Entry: Encodable {
            var status: Int
            var originalTransactionId: String
            var signedTransactionInfo: String
            var signedRenewalInfo: String
        }
        var environment: String
        var bundleId: String
        var appAppleId: Int64?
        var data: [Group]
    }

    struct History: Encodable {
        var revision: String
        var hasMore: Bool
        var bundleId: String
        var appAppleId: Int64?
        var environment: String
        var signedTransactions: [String]
    }

    struct Refunds: Encodable {
        var revision: String
        var hasMore: Bool
        var signedTransactions: [String]
    }

    struct Info: Encodable {
        var signedTransactionInfo: String
    }

    struct Notifications: Encodable {
        struct Entry: Encodable {
            var signedPayload: String
            var sendAttempts: [Attempt]
        }
        struct Attempt: Encodable {
            var attemptDate: Int64
            var sendAttemptResult: String
        }
        var paginationToken: String?
        var hasMore: Bool
        var notificationHistory: [Entry]
    }

    struct Failure: Encodable {
        var errorCode: Int64
        var errorMessage: String

        static let unknownTransaction = Failure(errorCode: 4_040_010, errorMessage: "Transaction id not found.")
        static let malformedID = Failure(errorCode: 4_000_006, errorMessage: "Invalid transaction id.")
        static let unknownRevision = Failure(errorCode: 4_000_005, errorMessage: "Invalid request revision.")
        static let invalidSort = Failure(errorCode: 4_000_021, errorMessage: "Invalid request. Invalid sort.")
        static let invalidProductType = Failure(
            errorCode: 4_000_022, errorMessage: "Invalid request. Invalid product type.")
        static let invalidRevoked = Failure(errorCode: 4_000_030, errorMessage: "Invalid request. Invalid revoked.")
        static let tooLongAgo = Failure(
            errorCode: 4_000_012, errorMessage: "Invalid request. Start date too far in past.")
        static let endsBeforeStart = Failure(
            errorCode: 4_000_013, errorMessage: "Invalid request. Start date is after end date.")
        static let unknownPage = Failure(
            errorCode: 4_000_014, errorMessage: "Invalid request. Invalid pagination token.")
        static let noStartDate = Failure(
            errorCode: 4_000_015, errorMessage: "Invalid request. Invalid start date.")
        static let noEndDate = Failure(
            errorCode: 4_000_016, errorMessage: "Invalid request. Invalid end date.")
        static let expiredPage = Failure(
            errorCode: 4_000_017, errorMessage: "Invalid request. Pagination token expired.")
        static let unknownType = Failure(
            errorCode: 4_000_018, errorMessage: "Invalid request. Invalid notification type.")
        static let twoFilters = Failure(
            errorCode: 4_000_019, errorMessage: "Invalid request. Multiple filters supplied.")
        /// For an app without a server that could be told.
        static let noNotificationURL = Failure(
            errorCode: 4_040_007, errorMessage: "No App Store Server Notification URL found for provided app.")
        static let overTheRate = Failure(errorCode: 4_290_000, errorMessage: "Rate limit exceeded.")
        static let retryable = Failure(
            errorCode: 5_000_001, errorMessage: "An unknown error occurred. Please try again.")
    }
}
