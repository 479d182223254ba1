// SPDX-License-Identifier: Apache-2.0

import CLibPQ
package import Logging

/// One session with the server.
///
/// It belongs to one task at a time: a transaction or COPY spans several calls, and statements of another task would
/// fall into it. libpq blocks, so the actor runs on a queue of its own. A cancelled task cancels its statement on the
/// server.
package actor PostgresConnection {
    private nonisolated let executor = BlockingExecutor(label: "subledger.postgres")
    let logger: Logger
    var handle: ConnectionHandle
    private let canceller: QueryCanceller
    /// The statement of the COPY in progress.
    var copying: Statement?

    /// Every libpq call of this connection runs there.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private init(_ handle: consuming sending ConnectionHandle, logger: Logger) {
        canceller = QueryCanceller(handle.makeCancel())
        self.handle = handle
        self.logger = logger
    }

    /// Connects and pins the session's settings. Throws `.configuration`, or `.connectionFailed`, whose disposition
    /// distinguishes a server that is starting or away (retry) from one that refuses (stop).
    package static func connect(
        _ configuration: PostgresConfiguration, logger: Logger = Logger(label: "subledger.postgres")
    ) async throws(PostgresError) -> PostgresConnection {
        let connection = try await Connector().connect(configuration, logger: logger)
        logger.debug("connected", metadata: ["postgres.server": "\(configuration)"])
        return connection
    }

    /// Connecting blocks as well, and before there is a connection there is no queue of it to block.
    private actor Connector {
        private nonisolated let executor = BlockingExecutor(label: "subledger.postgres.connect")
        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

        func connect(
            _ configuration: PostgresConfiguration, logger: Logger
        ) throws(PostgresError) -> PostgresConnection {
            PostgresConnection(try ConnectionHandle(configuration), logger: logger)
        }
    }

    /// Ends the session. Statements after it throw `.misuse`.
    package func close() {
        handle.close()
    }

    /// True while the session can be used.
    package var isOpen: Bool { handle.isOpen }

    /// Runs one blocking call as a statement that a cancelled task can interrupt, and turns a failure into an error.
    func run(
        _ statement: Statement, isCancellable: Bool = true, _ call: (borrowing ConnectionHandle) -> QueryResult
    ) async throws(PostgresError) -> QueryResult {
        guard !isCancellable || !Task.isCancelled else {
            throw PostgresError(.cancelled, "not begun: the task is cancelled", statement: statement.name)
        }
        let result = isCancellable ? await runCancellable(call) : call(handle)
        logger.trace("statement", metadata: ["postgres.statement": "\(statement.name)"])
        if result.succeeded || result.status == PGRES_COPY_IN { return result }
        throw result.error(connectionIsOpen: handle.isOpen, fallback: handle.message)
    }

    private func runCancellable(_ call: (borrowing ConnectionHandle) -> QueryResult) async -> QueryResult {
        let canceller = canceller
        let ticket = canceller.begin()
        defer { canceller.end() }
        return await withTaskCancellationHandler {
            call(handle)
        } onCancel: {
            canceller.cancel(ticket)
        }
    }
}

extension ConnectionHandle {
    /// An open connection with the pinned session settings. They are sent together, so checking the search path checks
    /// them all: a pooler may take a start-up packet and leave its options out.
    init(_ configuration: PostgresConfiguration) throws(PostgresError) {
        let handle = ConnectionHandle(connecting: configuration.connectionOptions)
        guard handle.isOpen else {
            let reason = handle.message
            // A server that said nothing within the limit is not asked a second time for its reason.
            let state = handle.isTimedOut ? nil : handle.refusalState()
            throw ConnectionRefusal.error(reason, sqlState: state, to: configuration)
        }
        let path = handle.execute(Statement(name: "search path", text: "show search_path"), ParameterList([]))
        guard path.succeeded else { throw path.error(connectionIsOpen: handle.isOpen, fallback: handle.message) }
        guard path.text(row: 0, column: 0) == PostgresConfiguration.searchPath else {
            throw ConnectionRefusal.pooled(configuration)
        }
        self = handle
    }
}
