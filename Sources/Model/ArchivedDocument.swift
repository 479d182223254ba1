// SPDX-License-Identifier: Apache-2.0

/// A document of a store's answer as it is archived: personal fields and receipts cut, certificate headers replaced by the
/// id of their chain.
package struct ArchivedDocument: Hashable, Sendable, Codable {
    package let endpoint: String
    package let body: String
    /// SHA-256, hex, of the content without its signing or request time: the same answer twice is kept once.
    package let answerHash: String
    /// The certificate headers the body refers to, by chain id; stored once per chain.
    package let chains: [String: String]

    package init(endpoint: String, body: String, answerHash: String, chains: [String: String] = [:]) {
        self.endpoint = endpoint
        self.body = body
        self.answerHash = answerHash
        self.chains = chains
    }
}
