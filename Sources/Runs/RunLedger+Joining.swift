// SPDX-License-Identifier: Apache-2.0

package import Model
package import Postgres
internal import SQLCatalog

/// An open night, as a host sees it that works for it.
package struct NightState: Sendable {
    /// It is not sealed, and has not ended.
    package let isOpen: Bool
    /// Of its leader.
    package let generation: Int64
    /// Its leader lives, by the database's clock.
    package let isLed: Bool
    /// How long its leader may ask; nil: as long as it takes.
    package let timeLeft: Duration?

    init(_ row: PostgresRow) throws(PostgresError) {
        isOpen = try row.bool("is_open")
        generation = try row.int64("leader_generation")
        isLed = try row.bool("is_led")
        timeLeft = try row.optionalInt64("time_left").map { .microseconds($0) }
    }
}

/// A host that works for nights which others lead: it neither leads, closes nor seals one.
extension RunLedger {
    /// The oldest open night of any of these apps, whether its leader lives or not.
    package func nightToJoin(of apps: [AppID]) async throws(PostgresError) -> Run? {
        let named = PostgresValue.textArray(apps.map(\.rawValue))
        guard let row = try await database.query(SQL.Pipeline.findNightToJoin, [named]).first else { return nil }
        return Run(
            id: try row.int64("run_id"), job: .nightly, now: try row.instant("logical_now"),
            generation: try row.int64("leader_generation"), isResumed: false, isAudit: try row.bool("is_audit"))
    }

    /// Nil where there is no such run.
    package func look(at run: Run) async throws(PostgresError) -> NightState? {
        guard let row = try await database.query(SQL.Pipeline.lookAtNight, [.int(run.id)]).first else { return nil }
        return try NightState(row)
    }

    /// Whether a night of any of these apps was sealed since then, by the database's clock.
    package func wasNightSealed(of apps: [AppID], since instant: Instant) async throws(PostgresError) -> Bool {
        let parameters: [PostgresValue] = [.textArray(apps.map(\.rawValue)), PostgresValue(instant)]
        return try await database.query(SQL.Pipeline.wasSealedSince, parameters).first?.bool("is_so") ?? false
    }

    /// Whether a sealed night of that business date finished each of these apps, and not late.
    package func haveHad(_ date: BusinessDate, _ apps: [AppID]) async throws(PostgresError) -> Bool {
        let parameters: [PostgresValue] = [.textArray(apps.map(\.rawValue)), .date(date.description)]
        return try await database.query(SQL.Pipeline.haveAppsHadDate, parameters).first?.bool("is_so") ?? false
    }
}
