// SPDX-License-Identifier: Apache-2.0

package import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2

/// One client's connection: TLS, and in it HTTP/2 where both speak it, else HTTP/1.1.
///
/// Hummingbird's own channel keeps SwiftNIO's limits, under which 200 reset streams in 30 seconds are an attack that
/// ends the connection. libcurl 7 resets every stream it is done with, so that no client built on it would get through
/// a night; a server on loopback has nothing to fear from its clients and counts no resets.
struct SecureChannel: HTTPChannelHandler {
    typealias Exchange = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
    typealias Exchanges = NIOHTTP2Handler.AsyncStreamMultiplexer<Exchange>

    struct Value: ServerChildChannelValue {
        let version: EventLoopFuture<NIONegotiatedHTTPVersion<HTTP1Channel.Value, Exchanges>>
        let channel: any Channel
    }

    private let tls: TLSContext
    private let http1: HTTP1Channel

    init(_ tls: TLSContext, _ responder: @escaping Responder) {
        self.tls = tls
        http1 = HTTP1Channel(responder: responder)
    }

    var responder: Responder { http1.responder }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(try TLSHandler(tls))
        }.flatMap { negotiate(on: channel, logger) }
    }

    private func negotiate(on channel: any Channel, _ logger: Logger) -> EventLoopFuture<Value> {
        channel.configureHTTP2AsyncSecureUpgrade { channel in
            http1.setup(channel: channel, logger: logger)
        } http2ConnectionInitializer: { channel in
            channel.configureAsyncHTTP2Pipeline(mode: .server, configuration: Self.withoutLimits) { stream in
                stream.eventLoop.makeCompletedFuture {
                    try stream.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTPServerCodec())
                    return try Exchange(wrappingChannelSynchronously: stream)
                }
            }
        }.map { Value(version: $0, channel: channel) }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.version.get() {
            case .http1_1(let connection): await http1.handle(value: connection, logger: logger)
            case .http2(let exchanges): try await handle(exchanges, logger)
            }
        } catch {
            logger.debug("the connection ended", metadata: ["reason": "\(error)"])
        }
        value.channel.close(promise: nil)
    }

    private func handle(_ exchanges: Exchanges, _ logger: Logger) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for try await exchange in exchanges.inbound {
                group.addTask { await handleHTTP(asyncChannel: exchange, logger: logger) }
            }
        }
    }

    /// Neither resets nor errors of streams are counted against a connection.
    private static var withoutLimits: NIOHTTP2Handler.Configuration {
        var configuration = NIOHTTP2Handler.Configuration()
        configuration.connection.maximumConnectionGlitches = .max
        configuration.connection.controlFrameRateLimit.maximumCount = .max
        configuration.stream.streamResetFrameRateLimit.maximumCount = .max
        configuration.stream.streamErrorRateLimit.maximumCount = .max
        return configuration
    }
}

extension HTTPServerBuilder {
    /// Serves over TLS, with HTTP/2 where the context offers it.
    package static func secure(_ tls: TLSContext) -> HTTPServerBuilder {
        HTTPServerBuilder { SecureChannel(tls, $0) }
    }
}
