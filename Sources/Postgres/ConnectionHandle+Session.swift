// SPDX-License-Identifier: Apache-2.0

extension ConnectionHandle {
    /// An open connection with the settings that every session has, to a server that they hold on.
    init(_ configuration: PostgresConfiguration) throws(PostgresError) {
        let handle = ConnectionHandle(connecting: configuration.connectionOptions)
        guard handle.isOpen else {
            let reason = handle.message
            // A server that said nothing within the limit is not asked a second time for its reason.
            let state = handle.isTimedOut ? nil : handle.refusalState()
            throw ConnectionRefusal.error(reason, sqlState: state, to: configuration)
        }
        try handle.checkServer(of: configuration)
        // Before anything else is asked: a limit on transactions counts for every statement.
        for statement in SessionSettings.ofVersion(handle.serverVersion) { _ = try handle.succeed(statement) }
        try handle.checkSettings(of: configuration)
        self = handle
    }

    private func checkServer(of configuration: PostgresConfiguration) throws(PostgresError) {
        guard serverVersion >= SessionSettings.oldestVersion else {
            throw ConnectionRefusal.tooOld(configuration, version: reported("server_version"))
        }
        guard reported("default_transaction_read_only") != "on" else {
            throw ConnectionRefusal.readOnly(configuration)
        }
    }

    /// The settings are sent together, so checking the search path checks them all: a pooler may take a start-up packet and
    /// leave its options out.
    private func checkSettings(of configuration: PostgresConfiguration) throws(PostgresError) {
        let path = try succeed(Statement(name: "search path", text: "show search_path"))
        guard path.text(row: 0, column: 0) == SessionSettings.searchPath else {
            throw ConnectionRefusal.pooled(configuration)
        }
    }

    private func succeed(_ statement: Statement) throws(PostgresError) -> QueryResult {
        let result = execute(statement, ParameterList([]))
        guard result.succeeded else { throw result.error(connectionIsOpen: isOpen, fallback: message) }
        return result
    }
}
