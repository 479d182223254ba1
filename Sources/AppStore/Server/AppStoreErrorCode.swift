// SPDX-License-Identifier: Apache-2.0

import Stores

/// What follows from an `errorCode` of the App Store Server API.
///
/// The HTTP status alone says too little: some 404 pass and others are final.
enum AppStoreErrorCode: Int64 {
    case invalidAppID = 4_000_002
    case invalidRevision = 4_000_005
    case invalidOriginalTransactionID = 4_000_008
    case invalidPageToken = 4_000_014
    case expiredPageToken = 4_000_017
    case notOriginalTransactionID = 4_000_187
    case accountNotFoundForNow = 4_040_002
    case appNotFound = 4_040_003
    case appNotFoundForNow = 4_040_004
    case originalTransactionIDNotFound = 4_040_005
    case originalTransactionIDNotFoundForNow = 4_040_006
    case notificationURLNotFound = 4_040_007
    case transactionIDNotFound = 4_040_010
    case rateLimitExceeded = 4_290_000
    case internalError = 5_000_000
    case internalErrorForNow = 5_000_001

    enum Disposition: Hashable {
        /// May succeed if asked again.
        case retry
        case tooMany
        /// This environment does not know the id; the other may.
        case unknownHere
        /// The id will never be answered: set it aside.
        case refused
        /// The history's cursor is no longer good: read it from the start.
        case staleCursor
        /// The app itself is not known: the configuration is wrong.
        case wrongApp
    }

    static func disposition(of code: Int64) -> Disposition {
        AppStoreErrorCode(rawValue: code)?.disposition ?? ofFamily(code / 10_000)
    }

    /// The word for the tables.
    static func reason(of code: Int64) -> String { "\(mark)\(code)" }

    private static let mark = "error_"

    /// The code that such a word has; nil for any other word, and for a code that nothing follows from.
    init?(reason: String) {
        guard reason.hasPrefix(Self.mark), let code = Int64(reason.dropFirst(Self.mark.count)) else { return nil }
        self.init(rawValue: code)
    }

    var disposition: Disposition {
        switch self {
        case .accountNotFoundForNow, .appNotFoundForNow, .originalTransactionIDNotFoundForNow, .internalError,
            .internalErrorForNow:
            .retry
        case .rateLimitExceeded: .tooMany
        case .originalTransactionIDNotFound, .transactionIDNotFound: .unknownHere
        case .invalidRevision: .staleCursor
        case .invalidAppID, .appNotFound: .wrongApp
        case .invalidOriginalTransactionID, .invalidPageToken, .expiredPageToken, .notOriginalTransactionID,
            .notificationURLNotFound:
            .refused
        }
    }

    /// Codes begin with the HTTP status they come with; of a code made later that is all we know.
    private static func ofFamily(_ family: Int64) -> Disposition {
        switch family {
        case 429: .tooMany
        case 500...599: .retry
        default: .refused
        }
    }
}

extension StoreFailure {
    /// The code of the App Store's answer; nil where another failure, or a code that nothing follows from.
    var errorCode: AppStoreErrorCode? { AppStoreErrorCode(reason: reason) }
}
