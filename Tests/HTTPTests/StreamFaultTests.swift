// SPDX-License-Identifier: Apache-2.0

import HTTP
import TestSupport
import Testing

/// HTTP/2 frames no decent server sends, written byte by byte (RFC 9113 §4.1, §6) behind a real TLS handshake.
@Suite("HTTP/2 faults", .hangLimit)
struct StreamFaultTests {
    private enum FrameType: UInt8 {
        case data = 0x0
        case headers = 0x1
        case resetStream = 0x3
        case settings = 0x4
        case goAway = 0x7
    }

    private static let endStream: UInt8 = 0x1
    private static let endHeaders: UInt8 = 0x4
    private static let acknowledge: UInt8 = 0x1

    /// The server's half of the opening, with the acknowledgement of the client's settings.
    private static let opening = frame(.settings, stream: 0) + frame(.settings, flags: acknowledge, stream: 0)

    /// `:status: 200` (static table entry 8) and `content-length` (entry 28, literal without indexing) in HPACK.
    private static func head(contentLength: Int) -> [UInt8] {
        let digits = Array("\(contentLength)".utf8)
        return frame(
            .headers, flags: endHeaders, stream: 1, [0x88, 0x0F, 28 - 15, UInt8(digits.count)] + digits)
    }

    private static func frame(
        _ type: FrameType, flags: UInt8 = 0, stream: UInt8, _ payload: [UInt8] = []
    ) -> [UInt8] {
        [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), type.rawValue, flags, 0, 0, 0, stream] + payload
    }

    /// Sends one GET, the client's stream 1, to a server that plays the script.
    private func answer(to script: [UInt8]) async throws -> Result<HTTPResponse, HTTPError> {
        let certificates = try Certificates()
        let server = try TLSProbe(certificates, .valid, options: ["-alpn", "h2"], script: script)
        let client = HTTPClient(
            HTTPClientConfiguration(
                limits: HTTPLimits(connect: .seconds(1), firstByte: .seconds(1), total: .seconds(3)),
                certificateAuthorityFile: certificates.authorityFile),
            logger: RecordedLog().logger)
        let url = "https://localhost:\(server.port)/"
        do throws(HTTPError) {
            return .success(try await client.send(HTTPRequest(url: url, route: "/")))
        } catch {
            return .failure(error)
        }
    }

    @Test func `the hand-made frames are good when nothing is wrong with them`() async throws {
        let body = Self.frame(.data, stream: 1, Array("ab".utf8)) + Self.frame(.data, stream: 1, Array("cd".utf8))
        let end = Self.frame(.data, flags: Self.endStream, stream: 1)
        let response = try await answer(to: Self.opening + Self.head(contentLength: 4) + body + end).get()
        #expect(response.version == .http2)
        #expect(response.status == 200)
        #expect(response.body == Array("abcd".utf8))
        #expect(response.headers["content-length"] == "4")
    }

    @Test(arguments: [3, 5])
    func `a stream that ends with another length than announced is no answer`(announced: Int) async throws {
        let body = Self.frame(.data, flags: Self.endStream, stream: 1, Array("abcd".utf8))
        let script = Self.opening + Self.head(contentLength: announced) + body
        let error = await #expect(throws: HTTPError.self) { try await answer(to: script).get() }
        #expect(error?.code == .reset)
        #expect(error?.disposition == .retry)
    }

    @Test func `a stream reset half-way is no answer`() async throws {
        let body = Self.frame(.data, stream: 1, Array("ab".utf8))
        let internalError = Self.frame(.resetStream, stream: 1, [0, 0, 0, 2])
        let script = Self.opening + Self.head(contentLength: 4) + body + internalError
        let error = await #expect(throws: HTTPError.self) { try await answer(to: script).get() }
        #expect(error?.code == .reset)
        #expect(error?.disposition == .retry)
    }

    @Test func `a refused stream and a server that goes away may be asked again`() async throws {
        let refused = Self.frame(.resetStream, stream: 1, [0, 0, 0, 7])
        let goneAway = Self.frame(.goAway, stream: 0, [0, 0, 0, 0, 0, 0, 0, 11])
        for frames in [refused, goneAway] {
            let error = await #expect(throws: HTTPError.self) { try await answer(to: Self.opening + frames).get() }
            #expect(error?.disposition == .retry)
        }
    }
}
