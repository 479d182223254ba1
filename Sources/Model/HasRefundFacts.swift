// SPDX-License-Identifier: Apache-2.0

/// What holds the facts of refunds reads them as its own.
@dynamicMemberLookup
package protocol HasRefundFacts {
    var refund: RefundFacts { get }
}

extension HasRefundFacts {
    /// A fact of these, by its name.
    @inlinable package subscript<Fact>(dynamicMember name: KeyPath<RefundFacts, Fact>) -> Fact { refund[keyPath: name] }
}
