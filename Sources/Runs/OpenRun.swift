// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog

/// A run that has not ended, as a job meets it that needs one of its apps.
struct OpenRun: Sendable {
    let id: Int64
    let job: String
    let businessDate: String
    let now: Instant
    let generation: Int64
    /// All of its apps, those that were stopped included.
    let apps: Set<AppID>
    let isAudit: Bool
    let isSealed: Bool
    /// No run was sealed after it.
    let isLastSealed: Bool
    /// Until when its leader is taken for alive; nil where it left.
    let leasedUntil: Instant?
    /// Its leader lives, by the database's clock.
    let isLeased: Bool
    /// Job, apps, process and since when, for people.
    let description: String
}

extension OpenRun {
    init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            id: try row.int64("run_id"), job: try row.string("job"), businessDate: try row.string("business_date"),
            now: try row.instant("logical_now"), generation: try row.int64("leader_generation"),
            apps: Set(try row.textArray("apps").compactMap(\.self).map { AppID($0) }),
            isAudit: try row.bool("is_audit"), isSealed: try row.optionalInt64("seal") != nil,
            isLastSealed: try row.bool("is_last_sealed"),
            leasedUntil: try row.optionalInstant("leased_until"),
            isLeased: try row.bool("is_leased"), description: try PipelineError.openRun(row))
    }
}
