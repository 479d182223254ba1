// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension ThrottledClient {
    /// The longest wait that a job without a time of its own accepts, and a hint in any.
    private static let longestWait = Duration.seconds(120)

    /// What has not started by then is left.
    var deadline: UInt64? { state.withLock { $0.deadline } }

    var isOutOfTime: Bool { deadline.map { now >= $0 } ?? false }

    /// How long a request to this endpoint may wait for the store, in nanoseconds: as long as the night has time, so that a
    /// long wait closes an endpoint and not the night.
    func patience(for endpoint: Endpoint) -> UInt64 {
        let longest = Self.longestWait.nanoseconds
        guard let deadline, endpoint.part != .hint else { return longest }
        let at = now
        let left = deadline > at ? deadline - at : 0
        return endpoint.part == .completion ? max(left, longest) : left
    }

    /// Refuses what would not begin before the night's time is over.
    func checkTime(for endpoint: Endpoint, after wait: UInt64 = 0) throws(StoreFailure) {
        if endpoint.part == .inquiry { try checkTime(after: wait) }
    }

    /// The same, before anything is asked about a subscription.
    package func checkTime(after wait: UInt64 = 0) throws(StoreFailure) {
        guard let deadline, now + wait >= deadline else { return }
        throw StoreFailure(
            .storeDown, because: .outOfTime,
            message: "App \(appID) stops for tonight: nightly.finish_within is over. What was not asked stays due for "
                + "the next night; allow it more time, or more requests per second.")
    }

    /// The endpoint stays closed for longer than anybody can wait: a hint is given up, anything else stops the app.
    func overQuota(_ endpoint: Endpoint, for wait: Duration) -> StoreFailure {
        let used = "the store's quota for \(endpoint.name) is used up for another \(wait.components.seconds) s"
        guard endpoint.part != .hint else {
            return StoreFailure(.transient, reason: "over_quota", message: "It could not be asked: \(used).")
        }
        return stop(
            StoreFailure(
                .storeDown, reason: "over_quota",
                message: "App \(appID) stops for tonight: \(used). Ask fewer requests per second, or look for another "
                    + "program that uses the same quota."))
    }

    /// What all processes share of the quota could not be leased for as long as the database is waited for.
    func noSlice(_ endpoint: Endpoint, _ reason: String) -> StoreFailure {
        let lacking = "the database gives no share of the quota for \(endpoint.name) (\(reason))"
        guard endpoint.part != .hint else {
            return StoreFailure(.transient, because: .noSlice, message: "It could not be asked: \(lacking).")
        }
        return stop(
            StoreFailure(
                .storeDown, because: .noSlice,
                message: "App \(appID) stops for tonight: \(lacking). What was not asked stays due for the next run."))
    }
}
