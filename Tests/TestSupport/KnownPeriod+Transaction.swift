// SPDX-License-Identifier: Apache-2.0

package import Model

extension KnownPeriod {
    /// What a later night knows of a row that an earlier one booked.
    package init(_ row: CanonicalTransaction) {
        self.init(
            row.facts, ownership: row.ownership, kind: row.kind, isTrialConversion: row.isTrialConversion,
            refund: row.refund, sourceVersion: row.sourceVersion)
    }
}
