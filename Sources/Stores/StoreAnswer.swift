// SPDX-License-Identifier: Apache-2.0

package import Foundations
package import Model

/// What the store answered: documents as received.
///
/// What is signed in them is verified row by row when they are read, so that one bad row does not lose its neighbours.
package struct StoreAnswer: Sendable {
    /// One document of an answer.
    package struct Document: Sendable {
        /// The endpoint's short name (`statuses`, `history`, `verify_receipt`).
        package let endpoint: String
        package let body: [UInt8]
        /// The content of the body, for all readers; nil where it is no JSON.
        package let json: JSONDocument?

        package init(endpoint: String, body: [UInt8]) {
            self.endpoint = endpoint
            self.body = body
            self.json = JSONDocument(body)
        }

        /// The body as that type; nil where it is none.
        package func read<Body: JSONReadable>() -> Body? { json.flatMap(Body.init) }
    }

    package let inquiry: Inquiry
    package let environment: PurchaseEnvironment
    package let documents: [Document]
    /// The store's clock when it answered, for stores whose documents carry none.
    package let answeredAt: Instant?

    package init(inquiry: Inquiry, environment: PurchaseEnvironment, documents: [Document], answeredAt: Instant?) {
        self.inquiry = inquiry
        self.environment = environment
        self.documents = documents
        self.answeredAt = answeredAt
    }
}
