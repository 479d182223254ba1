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

    struct Failure: Encodable {
        var errorCode: Int64
        var errorMessage: String

        static let unknownTransaction = Failure(errorCode: 4_040_010, errorMessage: "Transaction id not found.")
        static let malformedID = Failure(errorCode: 4_000_006, errorMessage: "Invalid transaction id.")
        static let unknownRevision = Failure(errorCode: 4_000_005, errorMessage: "Invalid request revision.")
        /// The simulated apps have no server that could be told.
        static let noNotificationURL = Failure(
            errorCode: 4_040_007, errorMessage: "No App Store Server Notification URL found for provided app.")
        static let overTheRate = Failure(errorCode: 4_290_000, errorMessage: "Rate limit exceeded.")
        static let retryable = Failure(
            errorCode: 5_000_001, errorMessage: "An unknown error occurred. Please try again.")
    }
}
