// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Logging
import Synchronization
import TestSupport
import Testing

/// What becomes of an exchange when the other side misbehaves, and what people get to read about it.
@Suite(.hangLimit) struct FaultTests {
    @Test(arguments: Fault.allCases)
    func `every fault has its code and its disposition, and reveals nothing of the request`(fault: Fault) async throws {
        let secret = "canary-4f1d2c8e"
        let log = RecordedLog()
        let error = try #require(try await fault.provoke(secret: secret, logger: log.logger))
        #expect(error.code == fault.expected.code)
        #expect(error.disposition == fault.expected.disposition)

        var dumped = ""
        dump(error, to: &dumped)
        let readable = [error.description, String(reflecting: error), "\(error as any Error)", dumped]
        for text in readable + log.lines {
            #expect(!text.contains(secret))
        }
        if error.code != .invalidRequest { #expect(log.lines.count == 1) }
        #expect(error.description.contains("/things/{id}"))
    }

    @Test func `the faults cover every error code`() {
        #expect(Set(Fault.allCases.map(\.expected.code)) == Set(HTTPError.Code.allCases))
    }

    @Test func `a request and an answer do not print what they contain`() async throws {
        let secret = "canary-77aa01"
        let server = try FaultServer { connection in
            connection.readRequest()
            connection.send(
                "HTTP/1.1 200 OK\r\nX-Echo: \(secret)\r\nContent-Length: \(secret.utf8.count)\r\n\r\n\(secret)")
        }
        let request = HTTPRequest(
            method: .post, url: "http://127.0.0.1:\(server.port)/\(secret)", route: "/{id}",
            headers: [("Authorization", secret)], body: Array(secret.utf8))
        let response = try await HTTPClient(HTTPClientConfiguration(), logger: RecordedLog().logger).send(request)
        #expect(response.body == Array(secret.utf8))
        let configuration = HTTPClientConfiguration(proxy: "http://user:\(secret)@127.0.0.1:1")
        var dumped = ""
        dump(request, to: &dumped)
        dump(response, to: &dumped)
        let readable = [
            "\(request)", String(reflecting: request), "\(response)", String(reflecting: response),
            "\(response.headers)", "\(configuration)", String(reflecting: configuration), dumped,
        ]
        for text in readable { #expect(!text.contains(secret)) }
        #expect("\(request)" == "POST 127.0.0.1 /{id}")
    }

    @Test func `an endless body is cut off at the limit instead of being read`() async throws {
        let sent = Mutex(0)
        let (closings, announce) = AsyncStream.makeStream(of: Void.self)
        let block = [UInt8](repeating: 0x78, count: 65_536)
        let gibibyte = 1 << 30
        let server = try FaultServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while sent.withLock({ $0 }) < gibibyte, connection.send(block) { sent.withLock { $0 += block.count } }
            announce.finish()
        }
        let client = HTTPClient(
            HTTPClientConfiguration(limits: HTTPLimits(maximumBodyBytes: 1024 * 1024)), logger: RecordedLog().logger)
        await #expect(throws: HTTPError(.bodyTooLarge, host: "127.0.0.1", route: "/")) {
            try await client.send(HTTPRequest(url: "http://127.0.0.1:\(server.port)/", route: "/"))
        }
        for await _ in closings {}
        // What the client took, and what the two socket buffers hold (at most a few MiB each).
        #expect(sent.withLock { $0 } < 32 * 1024 * 1024)
    }

    @Test func `a body of exactly the limit is accepted`() async throws {
        let server = try FaultServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 1_000))
        }
        let client = HTTPClient(
            HTTPClientConfiguration(limits: HTTPLimits(maximumBodyBytes: 1_000)), logger: RecordedLog().logger)
        let response = try await client.send(
            HTTPRequest(url: "http://127.0.0.1:\(server.port)/", route: "/"))
        #expect(response.body.count == 1_000)
    }

    @Test func `a redirect is an answer, and is not followed`() async throws {
        let target = try FaultServer { $0.waitForClose() }
        let server = try FaultServer { connection in
            connection.readRequest()
            connection.send(
                "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(target.port)/\r\nContent-Length: 0\r\n\r\n")
        }
        let client = HTTPClient(HTTPClientConfiguration(), logger: RecordedLog().logger)
        let response = try await client.send(HTTPRequest(url: "http://127.0.0.1:\(server.port)/", route: "/"))
        #expect(response.status == 302)
        #expect(response.headers["location"] == "http://127.0.0.1:\(target.port)/")
        #expect(target.connections == 0)
    }

    @Test func `a host that does not answer does not delay another`() async throws {
        let silent = try FaultServer { $0.waitForClose() }
        let prompt = try FaultServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        }
        let client = HTTPClient(
            HTTPClientConfiguration(version: .http1, maximumConnectionsPerHost: 1), logger: RecordedLog().logger)
        async let stuck: [HTTPError.Code?] = withTaskGroup { group in
            for _ in 0..<10 {
                group.addTask { await Self.failure(client, "http://127.0.0.1:\(silent.port)/") }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let response = try await client.send(HTTPRequest(url: "http://127.0.0.1:\(prompt.port)/", route: "/"))
        #expect(response.status == 204)
        await client.shutdown()
        #expect(await stuck == Array(repeating: .shutDown, count: 10))
        #expect(silent.connections <= 1)
    }

    /// libcurl lets requests wait for the first one's connection, and restarts the limit for each that is the first.
    @Test
    func `a host that takes connections and never speaks TLS ends every request at the connect limit`() async throws {
        let mute = try FaultServer { $0.waitForClose() }
        let limits = HTTPLimits(connect: .milliseconds(400), total: .milliseconds(1_600))
        let client = HTTPClient(HTTPClientConfiguration(version: .http2, limits: limits), logger: RecordedLog().logger)
        let failures: [HTTPError.Code?] = await withTaskGroup { group in
            for _ in 0..<12 { group.addTask { await Self.failure(client, "https://127.0.0.1:\(mute.port)/") } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        await client.shutdown()
        #expect(failures == Array(repeating: .connectTimedOut, count: 12))
    }

    private static func failure(_ client: HTTPClient, _ url: String) async -> HTTPError.Code? {
        do throws(HTTPError) {
            _ = try await client.send(HTTPRequest(url: url, route: "/"))
            return nil
        } catch {
            return error.code
        }
    }
}
