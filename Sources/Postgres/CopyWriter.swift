// SPDX-License-Identifier: Apache-2.0

/// Writes the rows of one COPY. Rows collect in a buffer of about 64 KiB; a full buffer is sent, and `write` waits for
/// the server to take it.
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

    /// Adds a row, one value per column of the statement. Throws `.badValue`, naming row and column, for a text with
    /// U+0000, which would end the whole COPY; the row is then left out and the COPY can go on. Throws `.cancelled`.
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

/// COPY's text format: tab between columns, newline after a row, backslash escapes, `\N` for NULL.
enum CopyText {
    static func append(_ row: [PostgresValue], to buffer: inout [UInt8]) {
        for (index, value) in row.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: "\t")) }
            if let text = value.wireText {
                appendEscaped(text, to: &buffer)
            } else {
                buffer.append(contentsOf: "\\N".utf8)
            }
        }
        buffer.append(UInt8(ascii: "\n"))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\\") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
    }

    private static func appendEscaped(_ text: String, to buffer: inout [UInt8]) {
        guard text.containsByte(isEscaped) else { return buffer.append(contentsOf: text.utf8) }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): buffer.append(contentsOf: "\\\\".utf8)
            case UInt8(ascii: "\t"): buffer.append(contentsOf: "\\t".utf8)
            case UInt8(ascii: "\n"): buffer.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): buffer.append(contentsOf: "\\r".utf8)
            default: buffer.append(byte)
            }
        }
    }
}
