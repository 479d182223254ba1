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
    /// How it was connected.
    package nonisolated let configuration: PostgresConfiguration
    let logger: Logger
    var handle: ConnectionHandle
    private let canceller: QueryCanceller
    /// The statement of the COPY in progress.
    var copying: Statement?

    /// Every libpq call of this connection runs there.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private init(
        _ handle: consuming sending ConnectionHandle, to configuration: PostgresConfiguration, logger: Logger
    ) {
        self.configuration = configuration
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
            PostgresConnection(try ConnectionHandle(configuration), to: configuration, logger: logger)
        }
    }

    /// Ends the session. Statements after it throw `.misuse`.
    package func close() {
        handle.close()
    }

    /// True while the session can be used.
    package var isOpen: Bool { handle.isOpen }

    /// True while nothing is open in the session either: another task may have it.
    package var isIdle: Bool { handle.isOpen && handle.transactionStatus == PQTRANS_IDLE && copying == nil }

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
