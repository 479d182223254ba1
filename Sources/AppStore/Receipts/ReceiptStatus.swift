// SPDX-License-Identifier: Apache-2.0

import Stores

/// What follows from a `status` of `verifyReceipt`.
enum ReceiptStatus {
    enum Disposition: Hashable {
        /// Valid, an expired subscription included.
        case accept
        case retry
        case askSandbox
        case askProduction
        /// The receipt itself is no good.
        case refused
        /// The account is gone.
        case accountGone
        case wrongSharedSecret
        /// A mistake in how we asked.
        case ourMistake
    }

    /// A receipt that is none, or the store's own trouble.
    static let malformed: Int64 = 21_002
    /// A receipt of iOS 6 whose only subscription has ended.
    static let validButExpired: Int64 = 21_006

    /// `isRetryable`: the store's own word, where it gave one.
    static func disposition(of status: Int64, isRetryable: Bool?) -> Disposition {
        switch status {
        case 0, validButExpired: .accept
        case 21_002, 21_005, 21_009: .retry
        case 21_003: .refused
        case 21_004: .wrongSharedSecret
        case 21_007: .askSandbox
        case 21_008: .askProduction
        case 21_010: .accountGone
        case 21_000, 21_001: .ourMistake
        default: isRetryable == true ? .retry : .refused
        }
    }
}
