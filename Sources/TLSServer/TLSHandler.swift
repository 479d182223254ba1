// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOTLS

/// The server's TLS in a connection's pipeline.
///
/// It is OpenSSL's, which the program has at hand: building another library of it, as SwiftNIO's own does, takes longer
/// than building the program.
final class TLSHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let session: TLSSession
    private var isEstablished = false
    /// What was written since the last flush, and who waits for it.
    private var written = ByteBuffer()
    private var waiting: [EventLoopPromise<Void>] = []

    init(_ context: TLSContext) throws(TLSError) {
        session = try TLSSession(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do {
            try session.receive(unwrapInboundIn(data))
            try establish(context)
            if isEstablished { try pass(on: context) }
        } catch {
            fail(context, error)
        }
    }

    private func establish(_ context: ChannelHandlerContext) throws(TLSError) {
        guard !isEstablished else { return }
        isEstablished = try session.shakeHands() == .done
        send(context)
        guard isEstablished else { return }
        context.fireUserInboundEventTriggered(
            TLSUserEvent.handshakeCompleted(negotiatedProtocol: session.agreedProtocol))
    }

    /// Passes on what the client says.
    private func pass(on context: ChannelHandlerContext) throws(TLSError) {
        var bytes = context.channel.allocator.buffer(capacity: 0)
        let progress = try session.read(into: &bytes)
        if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
        if progress == .closed { close(context: context, mode: .all, promise: nil) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var bytes = unwrapOutboundIn(data)
        if written.readableBytes == 0 { written = bytes } else { written.writeBuffer(&bytes) }
        if let promise { waiting.append(promise) }
    }

    func flush(context: ChannelHandlerContext) {
        do {
            try session.write(written)
            written = ByteBuffer()
            send(context)
        } catch {
            fail(context, error)
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode != .input {
            // What was never flushed is not sent any more.
            abandon(ChannelError.outputClosed)
            session.shutDown()
            send(context)
        }
        context.close(mode: mode, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        abandon(ChannelError.ioOnClosedChannel)
        context.fireChannelInactive()
    }

    /// Sends what the session has for the client, and tells those who wait for it.
    private func send(_ context: ChannelHandlerContext) {
        var promise: EventLoopPromise<Void>?
        if !waiting.isEmpty {
            let sent = context.eventLoop.makePromise(of: Void.self)
            for one in waiting { sent.futureResult.cascade(to: one) }
            waiting = []
            promise = sent
        }
        context.writeAndFlush(wrapOutboundOut(session.takeOutgoing(context.channel.allocator)), promise: promise)
    }

    /// The client is told by an alert what is wrong, and the connection ends.
    private func fail(_ context: ChannelHandlerContext, _ error: TLSError) {
        abandon(error)
        send(context)
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }

    private func abandon(_ error: any Error) {
        for promise in waiting { promise.fail(error) }
        waiting = []
    }
}
