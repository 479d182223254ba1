// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// `TransactionCommitmentInfo`: which of its payments a month of a plan with a commitment is.
struct CommitmentPlace: JSONReadable {
    /// From 1 on.
    let number: Int64?
    let total: Int64?
    /// The end of the last month, milliseconds since the Unix epoch.
    let expiresDate: Int64?

    init(_ fields: Fields) {
        number = fields.integer("billingPeriodNumber")
        total = fields.integer("totalBillingPeriods")
        expiresDate = fields.integer("commitmentExpiresDate")
    }
}
