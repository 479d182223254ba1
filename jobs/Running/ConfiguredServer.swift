// SPDX-License-Identifier: Apache-2.0

import Postgres

/// The server that a job asks, of the two that may be configured.
struct ConfiguredServer {
    /// The configuration's key that names it.
    let key: String
    let database: PostgresConfiguration
    private let use: DatabaseUse

    /// `reading`: the server of `database.read_url`, where one is configured.
    init(primary: PostgresConfiguration, reading: PostgresConfiguration?, for use: DatabaseUse) {
        self.use = use
        if use == .reading, let reading {
            (key, database) = ("read_url", reading)
        } else {
            var primary = primary
            primary.purpose = use == .reading ? .reading : .writing
            (key, database) = ("url", primary)
        }
    }

    /// What an error means that no wait mends; nil of one that may pass.
    func refusal(_ error: PostgresError) -> (any Error)? {
        if case .readingInTables(let job) = use, error.code == .readOnly {
            return UsageError(
                "subledger: \(job) makes tables of its session, which a standby cannot have, and database.url names one "
                    + "(\(error.message)): name the primary there, and the standby in database.read_url")
        }
        guard error.disposition != .retry else { return nil }
        return [.connectionFailed, .configuration].contains(error.code)
            ? UsageError("subledger: database.\(key): \(error.message)") : error
    }
}
