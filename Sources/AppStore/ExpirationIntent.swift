// SPDX-License-Identifier: Apache-2.0

import Model

/// Why a subscription expired, as both of the store's interfaces number it.
///
/// StoreKit knows a reason, `unbundled`, that no page of the server's numbers: who leaves a bundle goes on alone. It is taken by
/// its name, and by the next number where the row names a bundle; the number is counted, so that it is seen when it first comes.
enum ExpirationIntent {
    /// `namesBundle`: the row beside it says something of a bundle.
    static func endReason(_ intent: String?, namesBundle: Bool = false) -> EndReason {
        switch intent {
        case "1": .voluntary
        case "2": .involuntary
        case "3": .price
        case "4": .product
        case "6" where namesBundle: .replaced
        case .some(let word) where isUnbundled(word): .replaced
        default: .unknown
        }
    }

    /// The numbers that are documented, of which 5 is "other", and StoreKit's name.
    static func isKnown(_ intent: String) -> Bool { documented.contains(intent) || isUnbundled(intent) }

    private static let documented: Set<String> = ["1", "2", "3", "4", "5"]

    private static func isUnbundled(_ word: String) -> Bool { word.lowercased() == "unbundled" }
}
