// SPDX-License-Identifier: Apache-2.0

/// When store events reported that money was given back, or that a refund was taken back.
package struct RefundReports: Hashable, Sendable {
    /// By one that named no transaction: any may be meant.
    ///
    /// Nil: there was none.
    package let unnamed: Instant?
    /// By those that named one, the first of each.
    package let byTransaction: [String: Instant]

    package init(unnamed: Instant? = nil, byTransaction: [String: Instant] = [:]) {
        self.unnamed = unnamed
        self.byTransaction = byTransaction
    }

    /// When a refund of a transaction was reported, under either of its ids; nil where no event may have meant it.
    package func instant(of id: String, or other: String) -> Instant? {
        byTransaction[id] ?? byTransaction[other] ?? unnamed
    }
}
