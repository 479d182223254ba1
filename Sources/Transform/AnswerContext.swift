// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// What the rows of one answer share.
struct AnswerContext {
    let due: [DueSubscription]
    /// The subscription the question was asked for first: what the answer discovers goes to its account.
    let asker: DueSubscription
    /// The receipt the answer was read from, as it is now.
    let receiptID: Int64?
    /// The content hash of the answer's first document: the one that reports the state.
    let answerHash: String
    private let documentHashes: [String: String]

    init(inquiry: Inquiry, asker: DueSubscription, reading: Reading) {
        self.due = inquiry.subscriptions
        self.asker = asker
        self.receiptID = reading.replacedReceipt?.id ?? asker.receipt?.id
        self.answerHash = reading.archive.first?.answerHash ?? ""
        self.documentHashes = reading.documentHashes
    }

    /// The content hash of the document in which a transaction stands.
    func answerHash(of transactionID: String) -> String { documentHashes[transactionID] ?? answerHash }

    func due(_ storeKey: Secret) -> DueSubscription? { due.first { $0.storeKey == storeKey } }

    /// A bare receipt's placeholder is in no answer, and that is no fault of the answer.
    func isPlaceholder(_ storeKey: Secret?) -> Bool { storeKey.flatMap { due($0) }?.isPlaceholder ?? false }

    func key(of storeKey: Secret, in app: AppID) -> SubscriptionKey {
        due(storeKey)?.key ?? SubscriptionKey(appID: app, storeKey: storeKey.reveal())
    }
}
