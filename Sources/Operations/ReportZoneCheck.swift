// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Logging
package import Model
package import Postgres
internal import Runs
internal import SQLCatalog

/// Whether program and database mean the same by a time zone: their lists of zones are two, and of different ages.
package struct ReportZoneCheck: Sendable {
    private let connection: PostgresConnection
    private let logger: Logger

    package init(connection: PostgresConnection, logger: Logger) {
        self.connection = connection
        self.logger = logger
    }

    /// Throws `PipelineError` `.unsuitableDatabase` where the server does not know the zone, or its offset is another one on the
    /// first of any month from 2016 to a year from now.
    package func check(_ zone: ReportTimeZone) async throws {
        let name = zone.identifier == "store" ? zone.lastZone.identifier : zone.identifier
        if name.hasPrefix("Etc/GMT+") {
            logger.warning("reports.time_zone \(name) lies west of UTC: these names have the sign the other way round")
        }
        for row in try await offsets(of: name) {
            let at = Instant(micros: try row.int64("at") * 1_000_000)
            guard Int64(zone.lastZone.secondsFromGMT(for: at.date)) != (try row.int64("seconds")) else { continue }
            throw PipelineError(
                .unsuitableDatabase,
                "reports.time_zone \(name): the database server has it \(try row.int64("seconds")) seconds from UTC on "
                    + "\(at.iso8601), this machine \(zone.lastZone.secondsFromGMT(for: at.date)): update the older list of time "
                    + "zones (package tzdata), or choose another zone")
        }
    }

    private func offsets(of name: String) async throws -> [PostgresRow] {
        do throws(PostgresError) {
            return try await connection.query(SQL.Pipeline.zoneOffsets, [.text(name)])
        } catch {
            guard error.sqlState == "22023" else { throw error }
            throw PipelineError(
                .unsuitableDatabase,
                "reports.time_zone \(name) is not known to the database server: choose another name of the zone, such as "
                    + "Asia/Tokyo, or update its list of time zones (package tzdata)")
        }
    }
}
