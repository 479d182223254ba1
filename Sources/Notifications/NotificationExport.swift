// SPDX-License-Identifier: Apache-2.0

internal import Foundations
package import Model
internal import Postgres
package import Runs
internal import SQLCatalog
package import Stores

/// The inbox as a flat CSV: a line for each notification that was not refused, a column for each path.
///
/// Signed parts are decoded; passwords, receipts, tokens and identifiers of devices stay out.
package struct NotificationExport: Sendable {
    /// Which notifications are wanted.
    package struct Choice: Sendable {
        /// Received at or after; nil: ever.
        package var since: Instant?
        package var source: NotificationSource?

        package init(since: Instant? = nil, source: NotificationSource? = nil) {
            self.since = since
            self.source = source
        }
    }

    /// Notifications read at once.
    private static let batch: Int64 = 500

    private let sessions: DatabaseSessions
    private let columns: ExportColumns
    private let readable: @Sendable (AppID, RawNotification) -> [UInt8]?

    /// `readable`: an app's notification as people may read it; nil where it is none.
    package init(
        sessions: DatabaseSessions, columns: ExportColumns,
        readable: @escaping @Sendable (AppID, RawNotification) -> [UInt8]?
    ) {
        self.sessions = sessions
        self.columns = columns
        self.readable = readable
    }

    /// Hands the lines out in parts, the header first; returns how many notifications there were.
    package func write(_ choice: Choice, to write: (String) throws -> Void) async throws -> Int {
        try write(line(columns.paths.map(Optional.some)))
        var (count, place) = (0, Int64(0))
        while true {
            let rows = try await page(of: choice, after: place)
            guard let last = rows.last else { return count }
            try write(rows.map { line(try cells(of: $0)) }.joined())
            place = try last.int64("notification_id")
            count += rows.count
        }
    }

    /// Pages are read by key and handed out once they are whole: what is asked again after a lost session repeats none.
    private func page(of choice: Choice, after place: Int64) async throws -> [PostgresRow] {
        try await sessions.use { connection in
            try await connection.query(
                SQL.Notifications.listForExport,
                [
                    .int(place), PostgresValue(choice.since), PostgresValue(choice.source?.rawValue),
                    .int(Self.batch),
                ])
        }
    }

    private func cells(of row: PostgresRow) throws(PostgresError) -> [String?] {
        let notification = RawNotification(
            source: try row.word("source", as: NotificationSource.self), payload: Secret(try row.string("payload")))
        let json = readable(AppID(try row.string("app_id")), notification)
        let tree = json.flatMap(NotificationTree.init)
        let facts = try facts(of: row)
        return columns.paths.map { path in tree?.cell(at: path).map(\.text) ?? facts[path].flatMap(\.self) }
    }

    /// What the inbox itself knows, under the names the spreadsheet had for it and under its own.
    private func facts(of row: PostgresRow) throws(PostgresError) -> [String: String?] {
        [
            "date": try row.instant("received_at").iso8601, "mimeType": "application/json",
            "length": try row.string("length"), "notification_id": try row.string("notification_id"),
            "app_id": try row.string("app_id"), "source": try row.string("source"),
            "received_at": try row.instant("received_at").iso8601, "state": try row.string("state"),
            "notification_type": try row.optionalString("notification_type"),
            "reason": try row.optionalString("reason"),
            "handled_at": try row.optionalInstant("handled_at")?.iso8601,
        ]
    }

    private func line(_ cells: [String?]) -> String {
        cells.map { CSVText.field($0, isText: true) }.joined(separator: ",") + "\n"
    }
}
