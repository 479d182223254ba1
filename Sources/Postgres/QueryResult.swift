// SPDX-License-Identifier: Apache-2.0

import CLibPQ

/// One `PGresult`, freed when the last row of it is gone.
///
/// `@unchecked Sendable`: libpq documents a result as read-only after its creation and free to be read from any
/// thread; nothing here changes it, and the pointer does not leave the class.
@safe final class QueryResult: @unchecked Sendable {
    private let pointer: OpaquePointer?
    /// The statement that gave it, for errors.
    let statement: String
    /// Column numbers by name.
    let columns: [String: Int32]

    /// Takes over a result that libpq returned; NULL (out of memory, or no connection) reads as a fatal error.
    init(owning pointer: OpaquePointer?, statement: String) {
        unsafe self.pointer = unsafe pointer
        self.statement = statement
        let count = unsafe PQnfields(pointer)
        var columns: [String: Int32] = [:]
        for column in 0..<max(0, count) {
            if let name = unsafe PQfname(pointer, column) { unsafe columns[String(cString: name)] = column }
        }
        self.columns = columns
    }

    deinit { unsafe PQclear(pointer) }

    /// libpq's status of the command.
    var status: ExecStatusType { unsafe PQresultStatus(pointer) }

    /// True if the command was carried out (with or without rows).
    var succeeded: Bool {
        status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_EMPTY_QUERY
    }

    /// The number of rows.
    var rowCount: Int { Int(unsafe PQntuples(pointer)) }

    /// The text of a value; nil for NULL.
    ///
    /// The server sends UTF-8, which every session is pinned to.
    func text(row: Int, column: Int32) -> String? {
        let row = Int32(row)
        guard unsafe PQgetisnull(pointer, row, column) == 0, let value = unsafe PQgetvalue(pointer, row, column) else {
            return nil
        }
        let length = Int(unsafe PQgetlength(pointer, row, column))
        let bytes = unsafe UnsafeRawBufferPointer(start: value, count: length)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// One field of the server's error report.
    private func field(_ name: Character) -> String? {
        guard let code = name.asciiValue, let text = unsafe PQresultErrorField(pointer, Int32(code)) else {
            return nil
        }
        return unsafe String(cString: text)
    }

    /// The server's report as an error; `fallback` where there is none because the connection broke.
    func error(connectionIsOpen: Bool, fallback: String) -> PostgresError {
        guard let state = field("C") else {
            let code: PostgresError.Code = connectionIsOpen ? .misuse : .connectionLost
            return PostgresError(code, fallback, statement: statement)
        }
        let code = connectionIsOpen ? SQLState(text: state).code : .connectionLost
        let message = ServerMessage.withoutValues(field("M") ?? "no message", sqlState: state)
        var error = PostgresError(code, message, statement: statement, sqlState: state)
        error.constraint = field("n")
        error.table = field("t")
        error.column = field("c")
        return error
    }
}

/// What of a server's message may be shown.
enum ServerMessage {
    /// Class 22 (data exceptions) quotes the value it could not read, so everything between the first and the last
    /// quote is cut there; other classes quote only names of objects.
    static func withoutValues(_ message: String, sqlState: String) -> String {
        guard sqlState.hasPrefix("22"), let first = message.firstIndex(of: "\""),
            let last = message.lastIndex(of: "\""), first < last
        else { return message }
        return message[...first] + "…" + message[last...]
    }

    /// The first line of libpq's own message; the lines after it guess at reasons.
    static func firstLine(_ message: String) -> String {
        message.split(whereSeparator: \.isNewline).first.map { $0.trimmingPrefix { $0.isWhitespace } }.map(String.init)
            ?? "no reason given"
    }
}
