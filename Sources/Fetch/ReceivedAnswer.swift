// SPDX-License-Identifier: Apache-2.0

import Stores

/// What became of one inquiry before its answer was read.
struct ReceivedAnswer: Sendable {
    let inquiry: Inquiry
    let result: Result<StoreAnswer, StoreFailure>

    /// The length of its documents.
    var byteSize: Int { (try? result.get())?.documents.reduce(0) { $0 + $1.body.count } ?? 0 }
}
