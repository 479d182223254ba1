// SPDX-License-Identifier: Apache-2.0

extension PostgresConnection {
    /// Runs `COPY … FROM STDIN` (text format, default options) with the rows that `body` writes; returns their number.
    ///
    /// If `body` throws, the COPY is ended as failed, nothing of it stays, and that error is thrown. `body` runs on the
    /// caller's own isolation and must not use the connection otherwise.
    package nonisolated func copyIn(
        _ statement: Statement, _ body: (inout CopyWriter) async throws -> Void
    ) async throws -> Int {
        try await beginCopy(statement)
        var writer = CopyWriter(connection: self, statement: statement)
        do {
            try await body(&writer)
            try await writer.flush()
        } catch {
            await abandonCopy()
            throw error
        }
        try await endCopy()
        return writer.rowCount
    }

    private func beginCopy(_ statement: Statement) async throws(PostgresError) {
        try checkReady(statement)
        let result = try await run(statement) { $0.executeScript(statement) }
        guard !result.succeeded else {
            throw PostgresError(.misuse, "not a COPY … FROM STDIN", statement: statement.name)
        }
        copying = statement
    }

    /// Sends one buffer.
    ///
    /// Waits while the server is busy: that is the backpressure.
    func sendCopyData(_ bytes: [UInt8]) async throws(PostgresError) {
        guard let statement = copying else {
            throw PostgresError(.misuse, "the COPY this writer belongs to has ended")
        }
        guard !Task.isCancelled else {
            throw PostgresError(.cancelled, "COPY given up: the task is cancelled", statement: statement.name)
        }
        _ = canceller.begin(statement.name, isCancellable: false)
        let isSent = handle.sendCopyData(bytes)
        // libpq may take what it cannot send.
        if let reason = canceller.end() { throw reason }
        guard isSent else {
            throw PostgresError(.connectionLost, handle.message, statement: statement.name)
        }
    }

    private func endCopy() async throws(PostgresError) {
        guard let statement = copying else { throw PostgresError(.misuse, "no COPY is in progress") }
        defer { copying = nil }
        _ = try await run(statement) { $0.endCopy(statement, failure: nil) }
    }

    /// Ends the COPY as failed.
    ///
    /// The reason sent stays general because the server writes it to its log; its verdict is the failure asked for.
    private func abandonCopy() {
        guard let statement = copying else { return }
        copying = nil
        _ = canceller.begin(statement.name, isCancellable: false)
        _ = handle.endCopy(statement, failure: "given up by the client")
        canceller.end()
    }
}
