// SPDX-License-Identifier: Apache-2.0

/// Which transaction a part of a figure follows from; of a lineage as a whole where the report counts lineages.
struct RowOrigin: Hashable, Sendable {
    /// The product that the part is under in the report.
    let productID: String
    let lineageKey: Int64
    /// Empty: the lineage's.
    let transactionID: String
    /// `charge` or `refund` of money; else empty.
    let money: String

    /// What `explain` takes.
    var id: String { transactionID.isEmpty ? String(lineageKey) : transactionID }

    /// The same through seals: a lineage may have been joined with another one since.
    var lasting: Lasting { Lasting(id: id, isTransaction: !transactionID.isEmpty, money: money) }

    struct Lasting: Hashable, Sendable {
        let id: String
        let isTransaction: Bool
        let money: String
    }
}
