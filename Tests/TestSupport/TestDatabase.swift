// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Postgres

/// Gives `body` a connection to a new database on the test process's own PostgreSQL server, and how to make further
/// connections to it: an empty one, or a copy of a template.
///
/// The database is dropped afterwards, whatever connections are still open.
///
/// A server that cannot be started is an error, never a skipped test.
package func withTestDatabase<R>(
    from template: TestTemplate? = nil, _ body: (PostgresConnection, PostgresConfiguration) async throws -> R
) async throws -> R {
    let server = try await TestCluster.shared.configuration()
    if let template { try await TestTemplate.Library.shared.make(template, on: server) }
    let name = "test_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
    try await administer(server, "create database \(name) template \(template?.name ?? "template0")")
    let result: Result<R, any Error>
    do {
        let configuration = server.with(database: name)
        let connection = try await PostgresConnection.connect(configuration)
        result = .success(try await body(connection, configuration))
        await connection.close()
    } catch {
        result = .failure(error)
    }
    try await administer(server, "drop database \(name) with (force)")
    return try result.get()
}

/// One command in a short session of its own; in a new task, so that a cancelled test cleans up as well.
func administer(_ server: PostgresConfiguration, _ command: String) async throws {
    try await Task {
        let connection = try await PostgresConnection.connect(server)
        try await connection.execute(Statement(name: "test database", text: command))
        await connection.close()
    }.value
}
