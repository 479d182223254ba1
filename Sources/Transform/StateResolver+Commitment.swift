// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension StateResolver {
    /// Until when payments are committed to, from the cancellation on: as the store says, or said before of the plan that is
    /// running out.
    var committedUntil: Instant? {
        if let stated = status.committedUntil { return stated }
        let isUnderstood = status.state != nil
        guard let known = before.committedUntil, !isUnderstood || status.autoRenew != true else { return nil }
        // What runs longer is another plan.
        return expiresAt.map { $0 <= known + Self.tolerance } ?? true ? known : nil
    }

    /// When a commitment whose payments go on was cancelled, where this answer is the first to say so: by the store's date, else
    /// when it said so.
    var leftCommitmentAt: Instant? {
        guard status.committedUntil != nil, before.committedUntil == nil, status.autoRenew == true else { return nil }
        return status.cancelledAt.flatMap { $0 <= status.sourceVersion ? $0 : nil } ?? status.sourceVersion
    }

    /// Months differ in their days, and the hour of a renewal drifts.
    private static let tolerance = Span.hours(26)
}
