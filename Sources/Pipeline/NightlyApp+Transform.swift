// SPDX-License-Identifier: Apache-2.0

import Extract
import Model
import Postgres
import Stores
import Transform

extension StoreApp {
    /// How this app's answers are read in a run, with the levels of its products that were imported by then.
    func transform(now: Instant, on connection: PostgresConnection) async throws(PostgresError) -> TransformStage {
        let levels = try await ExtractStage(connection: connection).levels(of: id, now: now)
        return TransformStage(
            store: store, now: now, defaultCountry: defaultCountry,
            refundWatchDays: try await refundWatchDays(on: connection), levels: levels)
    }

    /// The charges that are looked at again, in days after the charge.
    func refundWatchDays(on connection: PostgresConnection) async throws(PostgresError) -> [Int64] {
        try await ExtractStage(connection: connection)
            .refundWatchDays(of: id, days: store.refundWatchDays, tellsRefunds: store.tellsRefunds)
    }
}
