// SPDX-License-Identifier: Apache-2.0

package import Model

/// All that was read out of one answer.
package struct Reading: Sendable {
    package var observations: [Observation]
    package var archive: [ArchivedDocument]
    /// The receipt that replaces the one that was asked with.
    package var replacedReceipt: Receipt?
    /// Rows of the answer that could not be taken, each with its reason; their neighbours were.
    package var setAside: [RefusedRow]
    /// Unknown fields and values, counted by name.
    package var unknownValues: [String: Int64]
    /// Asked about, and no subscriptions: they were sold once, and are not followed.
    package var soldOnce: Set<Secret>
    /// The content hash of the document that shows a transaction, by its id; where it is not there, that is the first.
    package var documentHashes: [String: String]

    package init(
        observations: [Observation], archive: [ArchivedDocument], replacedReceipt: Receipt? = nil,
        setAside: [RefusedRow] = [], unknownValues: [String: Int64] = [:], soldOnce: Set<Secret> = [],
        documentHashes: [String: String] = [:]
    ) {
        self.observations = observations
        self.archive = archive
        self.replacedReceipt = replacedReceipt
        self.setAside = setAside
        self.unknownValues = unknownValues
        self.soldOnce = soldOnce
        self.documentHashes = documentHashes
    }
}
