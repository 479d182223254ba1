// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import NIOCore

/// The server's end of one connection's TLS (`SSL`): takes and gives what stands on the wire and what it means.
@safe
final class TLSSession {
    /// What a step came to.
    enum Progress: Hashable {
        case done
        /// It needs more from the client.
        case waiting
        /// The client has said goodbye.
        case closed
    }

    /// The largest record's content.
    private static let recordSize = 16_384

    private let pointer: OpaquePointer
    /// From the client and to it; the session frees both.
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer

    init(_ context: TLSContext) throws(TLSError) {
        guard let pointer = unsafe context.withPointer({ unsafe SSL_new($0) }) else { throw .last("making a session") }
        guard let incoming = unsafe BIO_new(BIO_s_mem()), let outgoing = unsafe BIO_new(BIO_s_mem()) else {
            unsafe SSL_free(pointer)
            throw .last("making a session")
        }
        unsafe SSL_set_bio(pointer, incoming, outgoing)
        unsafe SSL_set_accept_state(pointer)
        unsafe self.pointer = pointer
        unsafe self.incoming = incoming
        unsafe self.outgoing = outgoing
    }

    deinit {
        unsafe SSL_free(pointer)
    }

    /// The protocol that both speak; nil before the handshake, or when none was agreed on.
    var agreedProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        unsafe SSL_get0_alpn_selected(pointer, &name, &length)
        guard let name = unsafe name else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    /// Takes what came from the client.
    func receive(_ bytes: ByteBuffer) throws(TLSError) {
        let taken = unsafe bytes.withUnsafeReadableBytes { bytes in
            unsafe BIO_write(incoming, bytes.baseAddress, Int32(bytes.count))
        }
        guard taken == bytes.readableBytes else { throw .last("taking what came") }
    }

    /// What is to go to the client; empty when nothing is.
    func takeOutgoing(_ allocator: ByteBufferAllocator) -> ByteBuffer {
        let count = unsafe BIO_ctrl_pending(outgoing)
        var bytes = allocator.buffer(capacity: count)
        unsafe bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { room in
            max(0, Int(unsafe BIO_read(outgoing, room.baseAddress, Int32(count))))
        }
        return bytes
    }

    /// Goes on with the handshake.
    func shakeHands() throws(TLSError) -> Progress {
        // An error that others left on this thread would be taken for one of the step.
        ERR_clear_error()
        return try progress(of: unsafe SSL_do_handshake(pointer), "the handshake")
    }

    /// Reads what the client says into the buffer, as much as has come.
    func read(into bytes: inout ByteBuffer) throws(TLSError) -> Progress {
        while true {
            var outcome: Int32 = 0
            ERR_clear_error()
            unsafe bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.recordSize) { room in
                outcome = unsafe SSL_read(pointer, room.baseAddress, Int32(room.count))
                return max(0, Int(outcome))
            }
            if outcome <= 0 { return try progress(of: outcome, "reading") }
        }
    }

    /// Says something to the client; it goes with what is taken next.
    func write(_ bytes: ByteBuffer) throws(TLSError) {
        guard bytes.readableBytes > 0 else { return }
        let outcome = unsafe bytes.withUnsafeReadableBytes { bytes in
            unsafe SSL_write(pointer, bytes.baseAddress, Int32(bytes.count))
        }
        guard outcome == bytes.readableBytes else { throw .last("writing") }
    }

    /// Says goodbye.
    func shutDown() {
        unsafe SSL_shutdown(pointer)
        ERR_clear_error()
    }

    private func progress(of outcome: Int32, _ action: String) throws(TLSError) -> Progress {
        if outcome > 0 { return .done }
        switch unsafe SSL_get_error(pointer, outcome) {
        case SSL_ERROR_WANT_READ: return .waiting
        case SSL_ERROR_ZERO_RETURN: return .closed
        default: throw .last(action)
        }
    }
}
