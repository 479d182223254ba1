// SPDX-License-Identifier: Apache-2.0

import Model

/// Why a subscription expired, as both of the store's interfaces number it.
enum ExpirationIntent {
    static func endReason(_ intent: Int64?) -> EndReason {
        switch intent {
        case 1: .voluntary
        case 2: .involuntary
        case 3: .price
        case 4: .product
        default: .unknown
        }
    }

    /// The numbers that are documented; 5 is "other".
    static let known: ClosedRange<Int64> = 1...5
}
