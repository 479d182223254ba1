// SPDX-License-Identifier: Apache-2.0

/// Purchases made in the store's own pages: which ended purchase they follow is told only until they are acknowledged.
extension PlayCustomer {
    /// The same customer with the links that a reader can know of: those it was told, and those it would be told now.
    func linked(asToldBy revealed: PlayRevelations, at now: Int64) -> PlayCustomer {
        guard tokens.contains(where: { $0.expiredToken != nil }) else { return self }
        var customer = self
        for index in tokens.indices {
            let asked = (revealed.tokens[tokens[index].token] ?? []) + [now]
            let isTold = asked.contains { $0 >= tokens[index].startedAt && !tokens[index].isAcknowledged(at: $0) }
            if isTold, let expired = tokens[index].expiredToken { customer.tokens[index].linkedToken = expired }
        }
        return customer
    }
}
