// SPDX-License-Identifier: Apache-2.0

package import Postgres

/// Gives `body` a connection of an ordinary role to a new database that belongs to it, and one of a superuser to the
/// same database, on a server of that process's.
///
/// The database is dropped afterwards, and so is the role.
///
/// `settings`: what a DBA has set for the role, for example `statement_timeout = '1s'`.
package func withOrdinaryDatabase<R>(
    on cluster: TestCluster, settings: [String] = [],
    _ body: (_ owner: PostgresConnection, _ administrator: PostgresConnection) async throws -> R
) async throws -> R {
    let (role, name) = ("etl", "billing")
    let server = try await cluster.configuration()
    try await administer(server, "create role \(role) login")
    for setting in settings { try await administer(server, "alter role \(role) set \(setting)") }
    try await administer(server, "create database \(name) owner \(role)")
    let result: Result<R, any Error>
    do {
        let administrator = try await PostgresConnection.connect(server.with(database: name))
        let owner = try await PostgresConnection.connect(server.with(database: name).with(user: role))
        result = .success(try await body(owner, administrator))
        await owner.close()
        await administrator.close()
    } catch {
        result = .failure(error)
    }
    try await administer(server, "drop database \(name) with (force)")
    try await administer(server, "drop role \(role)")
    return try result.get()
}
