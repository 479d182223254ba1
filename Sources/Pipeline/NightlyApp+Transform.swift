// SPDX-License-Identifier: Apache-2.0

import Extract
import Model
import Postgres
import Transform

extension NightlyApp {
    /// How this app's answers are read in a run, with the levels of its products that were imported by then.
    func transform(now: Instant, on connection: PostgresConnection) async throws(PostgresError) -> TransformStage {
        let levels = try await ExtractStage(connection: connection).levels(of: id, now: now)
        return TransformStage(store: store, now: now, defaultCountry: defaultCountry, levels: levels)
    }
}
