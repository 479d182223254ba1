// SPDX-License-Identifier: Apache-2.0

/// Which transaction a part of a figure follows from; of a lineage as a whole where the report counts lineages.
struct RowOrigin: Hashable, Sendable {
    private static let separator: Character = "\u{1F}"

    let lineageKey: Int64
    /// Empty: the lineage's.
    let transactionID: String
    /// `charge` or `refund` of money; else empty.
    let money: String

    /// What `explain` takes.
    var id: String { transactionID.isEmpty ? String(lineageKey) : transactionID }

    /// Takes it out of a product that `label_rows.sql` wrote it behind; nil where nobody did.
    static func split(_ labelled: String) -> (product: String, origin: RowOrigin)? {
        let parts = labelled.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, let lineage = Int64(parts[1]) else { return nil }
        return (parts[0], RowOrigin(lineageKey: lineage, transactionID: parts[2], money: parts[3]))
    }

    /// The same through seals: a lineage may have been joined with another one since.
    var lasting: Lasting { Lasting(id: id, isTransaction: !transactionID.isEmpty, money: money) }

    struct Lasting: Hashable, Sendable {
        let id: String
        let isTransaction: Bool
        let money: String
    }
}
