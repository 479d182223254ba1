// SPDX-License-Identifier: Apache-2.0

package import Stores

/// What became of one inquiry: the store's answer as it was read, or why there is none.
package struct FetchOutcome: Sendable {
    package let inquiry: Inquiry
    package let result: Result<ReadAnswer, StoreFailure>

    init(_ received: ReceivedAnswer, readBy reader: any StoreReader) {
        inquiry = received.inquiry
        result = received.result.map { ReadAnswer($0, by: reader) }
    }
}

/// What became of a chunk's inquiries.
package typealias FetchedChunk = Fetched<FetchOutcome>
