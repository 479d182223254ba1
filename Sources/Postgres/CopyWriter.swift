// SPDX-License-Identifier: Apache-2.0

/// Writes the rows of one COPY.
///
/// Rows collect in a buffer of about 64 KiB; a full buffer is sent, and `write` waits for the server to take it.
package struct CopyWriter {
    private static let bufferSize = 65_536
    private let connection: PostgresConnection
    private let statement: Statement
    private var buffer: [UInt8] = []
    /// How many rows were written.
    package private(set) var rowCount = 0

    init(connection: PostgresConnection, statement: Statement) {
        self.connection = connection
        self.statement = statement
        buffer.reserveCapacity(Self.bufferSize * 2)
    }

    /// Adds a row, one value per column of the statement.
    ///
    /// Throws `.badValue`, naming row and column, for a text with U+0000, which would end the whole COPY; the row is
    /// then left out and the COPY can go on. Throws `.cancelled`.
    package mutating func write(row: [PostgresValue]) async throws(PostgresError) {
        if let column = row.firstIndex(where: \.containsNul) {
            throw PostgresError(
                .badValue,
                "row \(rowCount + 1), column \(column + 1) holds the character U+0000, which PostgreSQL cannot store",
                statement: statement.name)
        }
        CopyText.append(row, to: &buffer)
        rowCount += 1
        if buffer.count >= Self.bufferSize { try await flush() }
    }

    /// Sends what is buffered.
    mutating func flush() async throws(PostgresError) {
        guard !buffer.isEmpty else { return }
        try await connection.sendCopyData(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
