// SPDX-License-Identifier: Apache-2.0

extension PostgresConnection {
    /// Runs one command and gives its rows.
    package func query(
        _ statement: Statement, _ parameters: [PostgresValue] = []
    ) async throws(PostgresError) -> [PostgresRow] {
        let result = try await runCommand(statement, parameters)
        return (0..<result.rowCount).map { PostgresRow(result: result, index: $0) }
    }

    /// Runs one command and drops its result.
    ///
    /// Returns no row count, because command tags are wrong on Citus: count with `returning` or a query.
    package func execute(
        _ statement: Statement, _ parameters: [PostgresValue] = []
    ) async throws(PostgresError) {
        _ = try await runCommand(statement, parameters)
    }

    /// Runs several commands without parameters, as one transaction unless they say otherwise: migrations, functions.
    package func executeScript(_ statement: Statement) async throws(PostgresError) {
        try checkReady(statement)
        try refuseCopy(try await run(statement) { $0.executeScript(statement) })
    }

    private func runCommand(
        _ statement: Statement, _ parameters: [PostgresValue]
    ) async throws(PostgresError) -> QueryResult {
        try checkReady(statement)
        if let index = parameters.firstIndex(where: \.containsNul) {
            throw PostgresError(
                .badValue, "parameter $\(index + 1) holds the character U+0000, which PostgreSQL cannot store",
                statement: statement.name)
        }
        let list = ParameterList(parameters)
        let result = try await run(statement) { $0.execute(statement, list) }
        try refuseCopy(result)
        return result
    }

    /// A statement may begin: the session is open and not in the middle of a COPY.
    func checkReady(_ statement: Statement) throws(PostgresError) {
        if let copying {
            throw PostgresError(
                .misuse, "the connection is in the middle of \(copying.name)", statement: statement.name)
        }
        guard handle.isOpen else {
            throw PostgresError(.connectionLost, "the connection is closed", statement: statement.name)
        }
    }

    /// COPY has its own method.
    ///
    /// libpq ends one that was started by mistake when the next statement comes.
    private func refuseCopy(_ result: QueryResult) throws(PostgresError) {
        guard result.succeeded else {
            throw PostgresError(.misuse, "COPY FROM STDIN runs through copyIn only", statement: result.statement)
        }
    }
}
