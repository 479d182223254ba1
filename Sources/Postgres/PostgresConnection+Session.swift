// SPDX-License-Identifier: Apache-2.0

extension PostgresConnection {
    /// How long the statements that a session begins with are waited for: a server that is there answers them in no time.
    private static let longestPreparation = Duration.seconds(60)

    /// Pins what the start-up packet could not, checks that the rest was taken, and has statements watched from then on.
    func prepare() async throws(PostgresError) {
        let watcher = StatementWatcher(canceller: canceller, configuration: configuration, logger: logger)
        let limit = configuration.answerLimit ?? Self.longestPreparation
        watching = Task { await watcher.cut(after: limit) }
        // Before anything else is asked: a limit on transactions counts for every statement.
        for statement in SessionSettings.ofVersion(handle.serverVersion) { _ = try await ask(statement) }
        try await checkSettings()
        guard configuration.answerLimit == nil else { return }
        let session = try await session()
        watching?.cancel()
        guard let look = configuration.look, let session else { return }
        watching = Task { await watcher.watch(session, by: look) }
    }

    /// The settings are sent together, so checking the search path checks them all: a pooler may take a start-up packet and
    /// leave its options out.
    private func checkSettings() async throws(PostgresError) {
        let path = try await ask(Statement(name: "search path", text: "show search_path"))
        guard path.text(row: 0, column: 0) == SessionSettings.searchPath else {
            throw ConnectionRefusal.pooled(configuration)
        }
    }

    private func session() async throws(PostgresError) -> ServerSession? {
        guard let look = configuration.look else { return nil }
        let row = PostgresRow(result: try await ask(look.identity), index: 0)
        return ServerSession(
            process: try row.int64("pid"), startedMicros: try row.timestampMicros("started_at"))
    }

    /// In a cancelled task as well: it connects to clean up.
    private func ask(_ statement: Statement) async throws(PostgresError) -> QueryResult {
        try await run(statement, isCancellable: false) { $0.execute(statement, ParameterList([])) }
    }
}
