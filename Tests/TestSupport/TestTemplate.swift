// SPDX-License-Identifier: Apache-2.0

package import Postgres

/// A database that tests begin with a copy of: a schema is applied once in a test process, not once a test.
package struct TestTemplate: Sendable {
    package typealias Content = @Sendable (PostgresConnection) async throws -> Void

    let name: String
    let content: Content

    /// - Parameters:
    ///   - name: the database's; each content has its own.
    ///   - content: fills the empty database.
    package init(_ name: String, content: @escaping Content) {
        self.name = name
        self.content = content
    }

    /// Those that this process has made.
    actor Library {
        static let shared = Library()
        private var made: [String: Task<Void, any Error>] = [:]

        func make(_ template: TestTemplate, on server: PostgresConfiguration) async throws {
            let task =
                made[template.name]
                ?? Task {
                    try await administer(server, "create database \(template.name) template template0")
                    let connection = try await PostgresConnection.connect(server.with(database: template.name))
                    try await template.content(connection)
                    await connection.close()
                }
            made[template.name] = task
            try await task.value
        }
    }
}
