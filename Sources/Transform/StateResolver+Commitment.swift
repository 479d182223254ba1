// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension StateResolver {
    /// Until when payments are committed to, from the cancellation on: as the store says, or said before of the plan
    /// that is running out.
    ///
    /// What ended unpaid or was given back before that owes nothing more.
    var committedUntil: Instant? {
        guard let until = status.committedUntil ?? commitmentRunningOut else { return nil }
        guard let endedAt, endReason != .voluntary else { return until }
        return endedAt + (state == .revoked ? .zero : Self.tolerance) >= until ? until : nil
    }

    /// When a commitment whose payments go on was cancelled, where this answer is the first to say so: by the store's date, else
    /// when it said so.
    var leftCommitmentAt: Instant? {
        guard status.committedUntil != nil, status.autoRenew == true, isAnotherCommitment else { return nil }
        return status.cancelledAt.flatMap { $0 <= status.sourceVersion ? $0 : nil } ?? status.sourceVersion
    }

    /// The commitment that was cancelled is not the one we knew of: it ends later, and was cancelled after the end of that.
    var isAnotherCommitment: Bool {
        guard let committedUntil else { return false }
        guard let known = before.committedUntil else { return true }
        return committedUntil > known + Self.tolerance && status.cancelledAt ?? status.sourceVersion > known
    }

    private var commitmentRunningOut: Instant? {
        guard let known = before.committedUntil else { return nil }
        let isUnderstood = status.state != nil
        guard !isUnderstood || (status.autoRenew != true && status.isCommitted != false) else { return nil }
        // What runs longer is another plan.
        return expiresAt.map { $0 <= known + Self.tolerance } ?? true ? known : nil
    }

    /// What is counted on from the end of a short month ends up to three days early, and the hour of a renewal drifts.
    private static let tolerance = Span.days(4)
}
