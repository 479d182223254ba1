// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Logging

/// Every way an exchange can fail, each with a server that makes it happen.
enum Fault: CaseIterable {
    case unknownHost, connectionRefused, handshakeNeverComes, firstByteNeverComes, oneByteNowAndThen, endlessDribble
    case untrustedCertificate, garbageInHandshake, connectionReset, closedWithoutAnswer, bodyShorterThanAnnounced
    case chunksEndEarly, endlessBody, announcedTooLarge, gzipBomb, endlessHeaders, oneHugeHeader
    case endlessInformationalAnswers, noStatusLine, plaintextToStranger, lineBreakInHeader, taskCancelled
    case clientShutDown

    /// The error that the caller must get.
    var expected: (code: HTTPError.Code, disposition: HTTPError.Disposition) {
        switch self {
        case .unknownHost: (.dns, .retry)
        case .connectionRefused: (.connectFailed, .retry)
        case .handshakeNeverComes: (.connectTimedOut, .retry)
        case .firstByteNeverComes: (.firstByteTimedOut, .retry)
        case .oneByteNowAndThen: (.tooSlow, .retry)
        case .endlessDribble: (.totalTimedOut, .retry)
        case .untrustedCertificate: (.tlsVerificationFailed, .stop)
        case .garbageInHandshake: (.tlsFailed, .retry)
        case .connectionReset, .closedWithoutAnswer: (.reset, .retry)
        case .bodyShorterThanAnnounced, .chunksEndEarly: (.truncated, .retry)
        case .endlessBody, .announcedTooLarge, .gzipBomb: (.bodyTooLarge, .setAside)
        case .endlessHeaders, .oneHugeHeader, .endlessInformationalAnswers: (.headersTooLarge, .setAside)
        case .noStatusLine: (.protocolError, .retry)
        case .plaintextToStranger, .lineBreakInHeader: (.invalidRequest, .setAside)
        case .taskCancelled: (.cancelled, .stop)
        case .clientShutDown: (.shutDown, .stop)
        }
    }

    /// Makes the fault happen to a POST that carries the secret in its path, query, headers and body.
    func provoke(secret: String, logger: Logger) async throws -> HTTPError? {
        let server = try FaultServer { [self] in serve($0) }
        let probe = self == .untrustedCertificate ? try TLSProbe(try Certificates(), .selfSigned) : nil
        defer { withExtendedLifetime((server, probe)) {} }
        let client = HTTPClient(HTTPClientConfiguration(), logger: logger)
        var request = HTTPRequest(
            method: .post, url: try url(probe?.port ?? Int(server.port)) + "/things/\(secret)?token=\(secret)",
            route: "/things/{id}",
            headers: [("Authorization", "Bearer \(secret)")], body: Array("{\"token\":\"\(secret)\"}".utf8),
            limits: limits)
        if self == .lineBreakInHeader { request.headers.append(("X-Note", "\(secret)\r\nX-Forged: 1")) }
        let outcome = try await answer(client, request)
        await client.shutdown()
        guard case .failure(let error) = outcome else { return nil }
        return error
    }

    private func answer(_ client: HTTPClient, _ request: HTTPRequest) async throws -> Result<HTTPResponse, HTTPError> {
        let task = Task { () async -> Result<HTTPResponse, HTTPError> in
            do throws(HTTPError) {
                return .success(try await client.send(request))
            } catch {
                return .failure(error)
            }
        }
        if self == .taskCancelled { task.cancel() }
        if self == .clientShutDown { await client.shutdown() }
        return await task.value
    }
}

extension Fault {
    private func url(_ port: Int) throws -> String {
        switch self {
        case .unknownHost: "https://no-such-host.invalid"
        case .connectionRefused: "http://127.0.0.1:\(try FaultServer.closedPort())"
        case .handshakeNeverComes, .garbageInHandshake, .untrustedCertificate: "https://localhost:\(port)"
        case .plaintextToStranger: "http://stranger.example:\(port)"
        default: "http://127.0.0.1:\(port)"
        }
    }

    /// Only the limit under test is short, so that no other can answer for it.
    private var limits: HTTPLimits {
        var limits = HTTPLimits(maximumBodyBytes: 1024 * 1024, maximumHeaderBytes: 16 * 1024)
        switch self {
        case .handshakeNeverComes: limits.connect = .milliseconds(300)
        case .firstByteNeverComes: limits.firstByte = .milliseconds(300)
        case .oneByteNowAndThen: limits.lowSpeedTime = .seconds(1)
        case .endlessDribble: limits.total = .milliseconds(500)
        default: break
        }
        return limits
    }

    private func serve(_ connection: FaultConnection) {
        switch self {
        case .handshakeNeverComes:
            connection.waitForClose()
        case .garbageInHandshake:
            _ = connection.receive()
            connection.send("this is not TLS\r\n\r\n")
        default:
            connection.readRequest()
            answer(connection)
        }
    }

    private func answer(_ connection: FaultConnection) {
        let head = "HTTP/1.1 200 OK\r\n"
        switch self {
        case .oneByteNowAndThen:
            connection.send(head + "\r\n")
            while connection.send("x") { Thread.sleep(forTimeInterval: 0.1) }
        case .endlessDribble:
            connection.send(head + "\r\n")
            while connection.send(String(repeating: "x", count: 1_000)) { Thread.sleep(forTimeInterval: 0.01) }
        case .connectionReset:
            connection.send(head + "Content-Length: 100\r\n\r\nhalf")
            connection.reset()
        case .closedWithoutAnswer:
            break
        case .bodyShorterThanAnnounced:
            connection.send(head + "Content-Length: 100\r\n\r\nhalf")
        case .chunksEndEarly:
            connection.send(head + "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")
        case .endlessBody:
            connection.send(head + "\r\n")
            while connection.send([UInt8](repeating: 0x78, count: 65_536)) {}
        case .announcedTooLarge:
            connection.send(head + "Content-Length: 1073741824\r\n\r\n")
            connection.waitForClose()
        case .gzipBomb:
            connection.send(head + "Content-Encoding: gzip\r\n\r\n")
            connection.send((try? GzipBomb.shared.get()) ?? [])
        case .endlessHeaders:
            connection.send(head)
            while connection.send("X-Filler: \(String(repeating: "x", count: 500))\r\n") {}
        case .oneHugeHeader:
            connection.send(head + "X-Filler: ")
            while connection.send(String(repeating: "x", count: 65_536)) {}
        case .endlessInformationalAnswers:
            while connection.send("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n") {}
        case .noStatusLine:
            connection.send("welcome\r\n\r\nthis is not HTTP\r\n")
        default:
            connection.waitForClose()
        }
    }
}

/// A few kilobytes that unpack to 64 MiB.
private enum GzipBomb {
    static let shared = Result { [UInt8](try Shell.run("sh", "-c", "head -c 67108864 /dev/zero | gzip -9")) }
}
