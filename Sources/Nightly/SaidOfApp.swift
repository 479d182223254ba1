// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Stores

/// What a run's tables say of one of its apps.
struct SaidOfApp: Sendable {
    let app: AppID
    /// Why its store stops it; nil where it does not.
    let stop: StoreFailure?
    /// By the other hosts, and how long the run has waited for its store.
    let others: ThrottledClient.Spent
    let checksOfOthers: Int
    /// The store answered another host well.
    let wereOthersAnswered: Bool

    init(_ row: PostgresRow) throws(PostgresError) {
        app = AppID(try row.string("app_id"))
        others = ThrottledClient.Spent(
            calls: try row.int("calls"), retries: try row.int("retries"),
            waitedMilliseconds: try row.int64("waited_ms"))
        checksOfOthers = try row.int("checks")
        wereOthersAnswered = try row.bool("was_answered")
        guard let kind = try row.optionalString("stop_kind").flatMap(StoreFailure.Kind.init(rawValue:)) else {
            stop = nil
            return
        }
        stop = StoreFailure(kind, reason: try row.string("stop_reason"), message: try row.string("stop_message"))
    }
}
