// SPDX-License-Identifier: Apache-2.0

package import Postgres
internal import SQLCatalog
package import Stores

/// The slices of the stores' quotas in the database: each process takes the next one, by the database's clock.
package struct QuotaSlices: SliceSource {
    private let sessions: DatabaseSessions
    private let isPreferred: Bool

    /// - Parameters:
    ///   - sessions: of which the one for leases is used.
    ///   - isPreferred: an intake leases: it waits for what others have leased already and for no more, and beside them takes a tenth
    ///     of the requests at most.
    package init(_ sessions: DatabaseSessions, isPreferred: Bool = false) {
        self.sessions = sessions
        self.isPreferred = isPreferred
    }

    package var patience: Duration { sessions.retrying.patience }

    /// Who waits for others in it, or freezes, is sent away: the runs' leases are renewed over the same session.
    package func lease(_ wanted: [WantedSlice]) async throws -> [LeasedSlice] {
        try await sessions.use(.leases) { connection in
            try await connection.withTransaction { connection in
                try await connection.execute(SQL.Pipeline.limitSliceWait)
                return try await lease(wanted, on: connection)
            }
        }
    }

    /// The same over this session.
    ///
    /// A lease whose answer is lost is a slice that is not used.
    package func lease(_ wanted: [WantedSlice], on connection: PostgresConnection) async throws -> [LeasedSlice] {
        let leased = try await leaseKnown(wanted, on: connection)
        let known = Set(leased.map { [$0.quota, $0.endpoint] })
        let new = wanted.filter { !known.contains([$0.quota, $0.endpoint]) }
        guard !new.isEmpty else { return leased }
        try await connection.execute(SQL.Pipeline.addQuotaSlices, Self.names(of: new))
        return try await leased + leaseKnown(new, on: connection)
    }

    private func leaseKnown(
        _ wanted: [WantedSlice], on connection: PostgresConnection
    ) async throws(PostgresError) -> [LeasedSlice] {
        let parameters: [PostgresValue] =
            Self.names(of: wanted) + [
                .intArray(wanted.map { Int64($0.requests) }), .intArray(wanted.map { Int64(clamping: $0.allowance) }),
                .bool(isPreferred),
            ]
        return try await connection.query(SQL.Pipeline.leaseQuotaSlices, parameters)
            .map { (row) throws(PostgresError) in try LeasedSlice(row) }
    }

    private static func names(of wanted: [WantedSlice]) -> [PostgresValue] {
        [
            .textArray(wanted.map(\.quota)), .textArray(wanted.map(\.endpoint)),
            .intArray(wanted.map { Int64(clamping: $0.interval) }),
        ]
    }
}

extension LeasedSlice {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            quota: try row.string("quota"), endpoint: try row.string("endpoint"), requests: try row.int("leased"),
            interval: UInt64(clamping: try row.int64("interval_ns")), beginsIn: try row.int64("begins_in_ns"),
            pause: UInt64(clamping: try row.int64("pause_ns")))
    }
}
