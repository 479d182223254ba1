// SPDX-License-Identifier: Apache-2.0

/// What holds the facts of a sale reads them as its own.
@dynamicMemberLookup
package protocol HasSaleFacts {
    var sale: SaleFacts { get }
}

extension HasSaleFacts {
    /// A fact of these, by its name.
    @inlinable package subscript<Fact>(dynamicMember name: KeyPath<SaleFacts, Fact>) -> Fact { sale[keyPath: name] }
}
