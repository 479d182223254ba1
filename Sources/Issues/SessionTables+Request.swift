// SPDX-License-Identifier: Apache-2.0

import Marts
import Postgres
import Rendering

extension SessionTables {
    /// As of that report's seal, by its days.
    convenience init(
        connection: PostgresConnection, request: ReportRequest, partSize: Int64 = MartTables.partSize,
        progress: @escaping BuildProgress = { _, _ in }
    ) {
        self.init(
            connection: connection, seal: request.seal, timeZone: request.timeZone, partSize: partSize,
            progress: progress)
    }
}
