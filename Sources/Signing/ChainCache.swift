// SPDX-License-Identifier: Apache-2.0

import Foundations

/// The chains seen tonight, by the text of the header that carried them and by their identity.
///
/// A night's data has one to three chains, and each is carried by the same header text thousands of times: finding that
/// text again saves decoding, parsing and path validation. Only headers of tokens whose signature was right come in
/// here, so strangers cannot push them out. What leaves first is what came first.
struct ChainCache: Sendable {
    /// A header text that was signed under a verified chain.
    struct Entry: Sendable {
        /// The first part of the token, as it was spelt.
        let text: [UInt8]

        /// The same as a string, made once for all tokens that share it.
        let spelling: String

        /// Its JSON.
        let header: [UInt8]

        /// The chain it carries.
        let chain: VerifiedChain
    }

    /// Entries held at most.
    static let limit = 64

    private(set) var entries: [Entry] = []

    /// The entry of exactly this header text.
    func entry(for text: ArraySlice<UInt8>) -> Entry? {
        entries.first { $0.text[...].isSame(as: text) }
    }

    /// The chain of this identity, under whatever header.
    func chain(_ id: String) -> VerifiedChain? {
        entries.first { $0.chain.id == id }?.chain
    }

    /// Remembers a header, unless another task was faster.
    mutating func insert(_ entry: Entry) {
        guard self.entry(for: entry.text[...]) == nil else { return }
        if entries.count >= Self.limit { entries.removeFirst() }
        entries.append(entry)
    }
}
