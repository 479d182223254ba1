// SPDX-License-Identifier: Apache-2.0

import CLibPQ
import Foundations
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
    let canceller: QueryCanceller
    /// Looks after statements that wait for their answer.
    var watching: Task<Void, Never>?
    /// The statement of the COPY in progress.
    var copying: Statement?

    /// Every libpq call of this connection runs there.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private init(
        _ handle: consuming sending ConnectionHandle, to configuration: PostgresConfiguration, logger: Logger
    ) {
        self.configuration = configuration
        canceller = QueryCanceller(handle.makeCancel(), handle.makeSocket())
        self.handle = handle
        self.logger = logger
    }

    deinit { watching?.cancel() }

    /// Connects and pins the session's settings.
    ///
    /// Throws `.configuration`, or `.connectionFailed`, whose disposition distinguishes a server that is starting or
    /// away (retry) from one that refuses (stop).
    package static func connect(
        _ configuration: PostgresConfiguration, logger: Logger = Logger(label: "subledger.postgres")
    ) async throws(PostgresError) -> PostgresConnection {
        let connection = try await Connector().connect(configuration, logger: logger)
        do throws(PostgresError) {
            try await connection.prepare()
        } catch {
            await connection.close()
            throw error
        }
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

    /// Ends the session.
    ///
    /// Statements after it throw `.misuse`.
    package func close() {
        watching?.cancel()
        handle.close()
        canceller.close()
    }

    /// True while the session can be used.
    package var isOpen: Bool { handle.isOpen }

    /// True while nothing is open in the session either: another task may have it.
    package var isIdle: Bool { handle.isOpen && handle.transactionStatus == PQTRANS_IDLE && copying == nil }

    /// Runs one blocking call as a statement that a cancelled task can interrupt, and that is looked after where its answer does not
    /// come; turns a failure into an error.
    func run(
        _ statement: Statement, isCancellable: Bool = true, _ call: (borrowing ConnectionHandle) -> QueryResult
    ) async throws(PostgresError) -> QueryResult {
        guard !isCancellable || !Task.isCancelled else {
            throw PostgresError(.cancelled, "not begun: the task is cancelled", statement: statement.name)
        }
        let ticket = canceller.begin(statement.name, isCancellable: isCancellable)
        let result = isCancellable ? await runCancellable(ticket, call) : call(handle)
        let reason = canceller.end()
        logger.trace("statement", metadata: ["postgres.statement": "\(statement.name)"])
        if result.succeeded || result.status == PGRES_COPY_IN { return result }
        let error = result.error(connectionIsOpen: handle.isOpen, fallback: handle.message)
        if let reason, reason.code == error.code || error.code == .cancelled { throw reason }
        throw error
    }

    private func runCancellable(
        _ ticket: UInt64, _ call: (borrowing ConnectionHandle) -> QueryResult
    ) async -> QueryResult {
        let canceller = canceller
        return await withTaskCancellationHandler {
            call(handle)
        } onCancel: {
            canceller.cancel(ticket)
        }
    }
}
