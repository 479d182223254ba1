// SPDX-License-Identifier: Apache-2.0

import Stores

/// What follows from an `errorCode` of the App Store Server API. The HTTP status alone says too little: some 404 pass
/// and others are final.
enum AppStoreErrorCode {
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
        switch code {
        case 4_040_002, 4_040_004, 4_040_006, 5_000_000, 5_000_001: .retry
        case 4_290_000: .tooMany
        case 4_040_005, 4_040_010: .unknownHere
        case 4_000_005: .staleCursor
        case 4_000_002, 4_040_003: .wrongApp
        default: ofFamily(code / 10_000)
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
