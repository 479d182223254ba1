// SPDX-License-Identifier: Apache-2.0

import CLibPQ
import Glibc

/// One `PGconn`, finished once.
///
/// Every method blocks and belongs on a `BlockingExecutor`.
@safe struct ConnectionHandle: ~Copyable {
    private var pointer: OpaquePointer?

    /// Connects.
    ///
    /// Check `isOpen` afterwards: the handle is yours to drop even if the connection failed.
    init(connecting options: [String: String]) {
        let pairs = options.sorted { $0.key < $1.key }
        unsafe pointer = unsafe CStrings.withPointers(pairs.map(\.key)) { keywords in
            unsafe CStrings.withPointers(pairs.map(\.value)) { values in unsafe PQconnectdbParams(keywords, values, 0) }
        }.flatMap { unsafe $0 }.flatMap { unsafe $0 }
        // libpq prints notices to stderr by default, and a notice may hold values.
        unsafe PQsetNoticeProcessor(pointer, { _, _ in }, nil)
    }

    deinit { unsafe PQfinish(pointer) }

    /// Ends the session; the handle reads as closed from then on.
    mutating func close() {
        unsafe PQfinish(pointer)
        unsafe pointer = nil
    }

    var isOpen: Bool { unsafe PQstatus(pointer) == CONNECTION_OK }

    /// The server's version as libpq counts it: 150020 is 15.20.
    var serverVersion: Int32 { unsafe PQserverVersion(pointer) }

    /// What the server reports of itself; nil if it does not report it.
    func reported(_ parameter: String) -> String? {
        unsafe PQparameterStatus(pointer, parameter).map { unsafe String(cString: $0) }
    }

    var transactionStatus: PGTransactionStatusType { unsafe PQtransactionStatus(pointer) }

    /// libpq's last message, first line.
    var message: String {
        guard let text = unsafe PQerrorMessage(pointer) else { return "no reason given" }
        return ServerMessage.firstLine(unsafe String(cString: text))
    }

    /// The connection could not be made within `connect_timeout`, in libpq's own words.
    var isTimedOut: Bool {
        guard let text = unsafe PQerrorMessage(pointer) else { return false }
        return unsafe String(cString: text).contains("timeout expired")
    }

    /// Why the server refused the connection.
    ///
    /// libpq 15 keeps no SQLSTATE of a failed connection, but its verbose message has it, so the attempt is made once
    /// more with that verbosity.
    func refusalState() -> String? {
        unsafe PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)
        unsafe PQreset(pointer)
        guard !isOpen else { return nil }
        return message.firstMatch(of: #/: {2}(?<state>[0-9A-Z]{5}): /#).map { String($0.output.state) }
    }

    /// One command with parameters.
    func execute(_ statement: Statement, _ parameters: ParameterList) -> QueryResult {
        let result = unsafe parameters.withPointers { values, lengths, formats in
            unsafe PQexecParams(pointer, statement.text, parameters.count, nil, values, lengths, formats, 0)
        }
        return unsafe QueryResult(owning: result, statement: statement.name)
    }

    /// Several commands without parameters, or one that starts a COPY.
    ///
    /// The last result, or the first error.
    func executeScript(_ statement: Statement) -> QueryResult {
        unsafe QueryResult(owning: PQexec(pointer, statement.text), statement: statement.name)
    }

    /// Sends COPY data, waiting for the server to take it.
    ///
    /// False if it cannot be sent.
    func sendCopyData(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in
            let data = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe PQputCopyData(pointer, data, Int32(buffer.count)) == 1
        }
    }

    /// Ends a COPY, for good or (with a reason) in failure, and gives the server's verdict.
    func endCopy(_ statement: Statement, failure: String?) -> QueryResult {
        unsafe PQputCopyEnd(pointer, failure)
        let verdict = unsafe QueryResult(owning: PQgetResult(pointer), statement: statement.name)
        while let further = unsafe PQgetResult(pointer) { unsafe PQclear(further) }
        return verdict
    }

    /// What cancels a statement of this connection from another thread.
    func makeCancel() -> CancelHandle {
        unsafe CancelHandle(owning: PQgetCancel(pointer))
    }

    /// What ends this connection from another thread; nil where there is no descriptor left for it.
    func makeSocket() -> SocketHandle? {
        SocketHandle(duplicating: unsafe PQsocket(pointer))
    }
}

/// A connection's socket under a descriptor of our own, closed once: libpq closes its own whenever it finds the connection broken,
/// and its number may be another file's by then.
struct SocketHandle: ~Copyable, Sendable {
    private let descriptor: Int32

    init?(duplicating descriptor: Int32) {
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard self.descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Whoever waits for the peer waits no longer.
    func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// One `PGcancel`, freed once.
///
/// `@unchecked Sendable`: libpq made this object to be used from a thread other than the connection's; it is a copy of
/// address and key that nothing changes.
@safe struct CancelHandle: ~Copyable, @unchecked Sendable {
    private let pointer: OpaquePointer?

    init(owning pointer: OpaquePointer?) {
        unsafe self.pointer = unsafe pointer
    }

    deinit { unsafe PQfreeCancel(pointer) }

    /// Asks the server to cancel what the connection is doing; returns when the server has passed it on.
    ///
    /// A failure only means that the statement runs to its end.
    func cancel() {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
            _ = unsafe PQcancel(pointer, message.baseAddress, 256)
        }
    }
}
