// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// One of the two interfaces that report the status of a purchase.
///
/// All else is the same for both.
protocol PlayInterface: Sendable {
    /// The path below the application's, with its template.
    ///
    /// - Throws: what is missing to ask at all.
    func path(of token: Secret, productID: String?) throws(StoreFailure) -> (path: String, route: String)

    /// Reads an answer.
    ///
    /// `due`: what is known of the purchase; nil for an older one that it continues.
    /// Throws when it is not what the store documents.
    func purchase(
        _ document: StoreAnswer.Document, of due: DueSubscription?, readAt: Instant,
        unknownValues: inout UnknownValueCounts
    ) throws(UnreadableAnswer) -> Purchase
}
