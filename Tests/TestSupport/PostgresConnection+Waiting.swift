// SPDX-License-Identifier: Apache-2.0

package import Postgres

extension PostgresConnection {
    /// Waits until so many other sessions with this database wait for a lock; the test's own time limit ends it.
    package func waitForWaiters(_ count: Int = 1) async throws {
        let waiting = """
            select count(*) >= \(count) as is_so from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()
            """
        while try await lines(waiting) != ["true"] { try await Task.sleep(for: .milliseconds(5)) }
    }
}
