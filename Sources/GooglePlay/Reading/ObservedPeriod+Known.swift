// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension ObservedPeriod {
    /// An order alone gives neither the country of the purchase nor the code it was opened with: what we hold stays.
    func retaining(_ known: [KnownPeriod]) -> ObservedPeriod {
        let stored = known.first { $0.transactionID == facts.transactionID && $0.productID == facts.productID }
        guard let stored else { return self }
        var period = self
        period.facts.country = facts.country ?? stored.country
        guard facts.offerType == nil else { return period }
        period.facts.offerType = stored.offerType
        period.facts.offerID = stored.offerID
        return period
    }
}
