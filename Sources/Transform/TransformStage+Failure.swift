// SPDX-License-Identifier: Apache-2.0

package import Model
package import Stores

extension TransformStage {
    /// Adds what follows from a failed check: when it is asked again, and never an end that the store did not state.
    ///
    /// A failure that stops the whole app says nothing about a subscription and leaves no row.
    package func failure(_ failure: StoreFailure, of inquiry: Inquiry, into rows: inout ChunkRows) {
        guard !failure.stopsApp else { return }
        for due in inquiry.subscriptions { self.failure(failure, of: due, into: &rows) }
    }

    func failure(_ failure: StoreFailure, of due: DueSubscription, into rows: inout ChunkRows) {
        guard !due.isSale else { return failedLook(failure, at: due, into: &rows) }
        switch failure.kind {
        case .transient:
            rows.failures.append(failedCheck(.transient, failure, of: due))
        case .refusedForNow:
            refusedForNow(failure, due, into: &rows)
        case .unreadable:
            rows.setAside.append(
                SetAside(key: due.key, stage: "fetch", reason: failure.reason, detail: failure.message))
            rows.failures.append(failedCheck(.transient, failure, of: due))
        case .notFound:
            notFound(failure, due, into: &rows)
        case .gone:
            rows.failures.append(gone(failure, due))
        case .credential, .storeDown, .cancelled:
            break
        }
    }

    /// The answer came and cannot be read: set aside, and asked again by the next run.
    package func setAside(
        _ inquiry: Inquiry, stage: String, reason: String, _ message: String, into rows: inout ChunkRows
    ) {
        let failure = StoreFailure(.transient, reason: reason, message: message)
        for due in inquiry.subscriptions {
            rows.setAside.append(SetAside(key: due.key, stage: stage, reason: reason, detail: message))
            if due.isSale {
                look(failed: .unreadable, failure.message, at: due, into: &rows)
            } else {
                rows.failures.append(failedCheck(.unreadable, failure, of: due))
            }
        }
    }

    /// Becomes a dead letter with the third failing night.
    private func notFound(_ failure: StoreFailure, _ due: DueSubscription, into rows: inout ChunkRows) {
        let isLastTry = failingNights(of: due) >= NextCheck.nightsUntilSetAside
        guard isLastTry else { return rows.failures.append(failedCheck(.notFound, failure, of: due)) }
        giveUp(failure, of: due, as: .notFound, into: &rows)
    }

    /// Becomes a dead letter with the third such night since it was answered well, whatever failed in between.
    private func refusedForNow(_ failure: StoreFailure, _ due: DueSubscription, into rows: inout ChunkRows) {
        let isLastTry = refusals(of: due) >= NextCheck.nightsUntilSetAside
        guard isLastTry else { return rows.failures.append(failedCheck(.refusedForNow, failure, of: due)) }
        giveUp(failure, of: due, as: .refusedForNow, into: &rows)
    }

    /// One dead letter, however often it is asked afterwards; what has ended stays ended and is let go.
    private func giveUp(
        _ failure: StoreFailure, of due: DueSubscription, as kind: NextCheck.FailureKind, into rows: inout ChunkRows
    ) {
        if due.snapshot.state != .unreachable {
            rows.setAside.append(
                SetAside(key: due.key, stage: "fetch", reason: failure.reason, detail: failure.message))
        }
        rows.failures.append(letGo(failure, of: due, as: kind))
    }

    /// The store has dropped it for ever.
    ///
    /// What was running and is past its expiry has expired; of anything else the end is unknown.
    private func gone(_ failure: StoreFailure, _ due: DueSubscription) -> FailedCheck {
        let last = due.snapshot
        guard last.state == .active || last.state == .trial, let expiry = last.expiresAt, expiry <= now else {
            return letGo(failure, of: due, as: .gone)
        }
        return FailedCheck(
            key: due.key, kind: .gone, reason: failure.reason, message: failure.message,
            failures: failingNights(of: due), refusals: due.snapshot.refusals,
            nextCheck: NextCheck(at: nil, reason: .never), newState: .expired, endedAt: expiry,
            endReason: last.endReason ?? .unknown)
    }

    private func letGo(
        _ failure: StoreFailure, of due: DueSubscription, as kind: NextCheck.FailureKind
    ) -> FailedCheck {
        guard !due.snapshot.state.isEnded else {
            return FailedCheck(
                key: due.key, kind: kind, reason: failure.reason, message: failure.message,
                failures: failingNights(of: due), refusals: due.snapshot.refusals,
                nextCheck: NextCheck(at: nil, reason: .never))
        }
        return failedCheck(kind, failure, of: due, newState: .unreachable)
    }

    func failedCheck(
        _ kind: NextCheck.FailureKind, _ failure: StoreFailure, of due: DueSubscription,
        newState: SubscriptionState? = nil
    ) -> FailedCheck {
        let failures = failingNights(of: due)
        let refusals = kind == .refusedForNow ? refusals(of: due) : due.snapshot.refusals
        return FailedCheck(
            key: due.key, kind: kind, reason: failure.reason, message: failure.message, failures: failures,
            refusals: refusals,
            nextCheck: nextCheck(after: kind, failures: kind == .refusedForNow ? refusals : failures, of: due),
            newState: newState, wasUnreachable: due.snapshot.state == .unreachable)
    }

    /// What was to be looked at besides the state is still to be looked at when a passing failure is over.
    ///
    /// What has ended, and shows nothing but rows that were set aside before, is asked as long as those are looked for.
    private func nextCheck(after kind: NextCheck.FailureKind, failures: Int, of due: DueSubscription) -> NextCheck {
        let check = NextCheck.afterFailure(kind, failures: failures, now: now)
        if check.reason == .setAside, due.snapshot.state.isEnded, !due.rowsSetAside.isEmpty {
            let look = due.rowsSetAside.compactMap { $0.looked(at: now).nextLook }.min()
            return NextCheck(at: look, reason: look == nil ? .never : .setAside)
        }
        guard check.reason == .failed, let reason = due.reason, Self.wishes.contains(reason) else { return check }
        return NextCheck(at: check.at, reason: reason)
    }

    /// Nights in a row in which its check failed, this one included.
    func failingNights(of due: DueSubscription) -> Int {
        counted(due.snapshot.failures, last: due.snapshot.lastFailedAt)
    }

    /// Nights since its last good answer on which the store refused it for now, this one included.
    private func refusals(of due: DueSubscription) -> Int {
        counted(due.snapshot.refusals, last: due.snapshot.lastRefusedAt)
    }

    /// Once per business date, however many runs asked.
    private func counted(_ before: Int, last: Instant?) -> Int {
        guard before > 0, let last, businessDate(of: last) == businessDate(of: now) else { return before + 1 }
        return before
    }

    private func businessDate(of instant: Instant) -> BusinessDate {
        BusinessDate(lastCompleteDayBefore: instant, in: timeZone)
    }

    /// Why a subscription's charges are to be looked at, too.
    private static let wishes: Set<NextCheck.Reason> = [.refundNotified, .linked]
}
