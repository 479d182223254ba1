// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores

/// A history as far as it was fetched.
///
/// Its pages are kept as received, not decoded: it may have thousands of transactions.
struct HistoryPages {
    private(set) var documents: [StoreAnswer.Document] = []
    private(set) var listsNothing = true
    /// The response that brought the last page; nil where none was asked for.
    private(set) var response: HTTPResponse?

    mutating func add(_ document: StoreAnswer.Document, at position: HistoryPosition, _ response: HTTPResponse) {
        documents.append(document)
        listsNothing = listsNothing && position.listsNothing
        self.response = response
    }
}
