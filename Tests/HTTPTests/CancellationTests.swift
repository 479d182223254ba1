// SPDX-License-Identifier: Apache-2.0

import HTTP
import TestSupport
import Testing

/// How an exchange ends before its answer.
@Suite("Cancellation and shutdown", .hangLimit)
struct CancellationTests {
    private static func failure(_ client: HTTPClient, _ url: String) async -> HTTPError.Code? {
        do throws(HTTPError) {
            _ = try await client.send(HTTPRequest(url: url, route: "/"))
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `cancelling a task closes its transfer, in flight or waiting its turn`() async throws {
        let (closings, announce) = AsyncStream.makeStream(of: Void.self)
        let (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)
        let server = try FaultServer { connection in
            connection.readRequest()
            arrive.yield()
            connection.waitForClose()
            announce.yield()
        }
        let client = HTTPClient(
            HTTPClientConfiguration(version: .http1, maximumConnectionsPerHost: 1), logger: RecordedLog().logger)
        let url = "http://127.0.0.1:\(server.port)/"
        let inFlight = Task { await Self.failure(client, url) }
        _ = await arrivals.first { _ in true }
        let waiting = Task { await Self.failure(client, url) }
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        inFlight.cancel()
        #expect(await inFlight.value == .cancelled)
        // The server sees the connection go: nothing is left running behind the caller's back.
        _ = await closings.first { _ in true }
        #expect(server.connections == 1)
    }

    @Test func `cancelling one HTTP/2 request leaves its connection and the others alone`() async throws {
        let certificates = try Certificates()
        let client = HTTPClient(
            HTTPClientConfiguration(certificateAuthorityFile: certificates.authorityFile),
            logger: RecordedLog().logger)
        let barrier = Barrier(2)
        try await SecureServer.run(certificates, routes: StandardRoutes.install(barrier: barrier)) { server in
            let number = HTTPRequest(url: server.url("/numbers/1"), route: "/numbers/{n}")
            _ = try await client.send(number)
            let blocked = Task { await Self.failure(client, server.url("/barrier")) }
            _ = try await client.send(number)
            blocked.cancel()
            #expect(await blocked.value == .cancelled)
            #expect(try await client.send(number).status == 200)
            #expect(server.visits.connections == 1)
            await barrier.arrive()
            await barrier.arrive()
        }
    }

    @Test func `the request of an already cancelled task is never sent`() async throws {
        let server = try FaultServer { $0.waitForClose() }
        let client = HTTPClient(HTTPClientConfiguration(), logger: RecordedLog().logger)
        let url = "http://127.0.0.1:\(server.port)/"
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await Self.failure(client, url)
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        await client.shutdown()
        #expect(server.connections == 0)
    }

    @Test func `many cancellations and answers at once leave no task waiting`() async throws {
        let server = try FaultServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        }
        let client = HTTPClient(
            HTTPClientConfiguration(version: .http1, maximumConnectionsPerHost: 16), logger: RecordedLog().logger)
        let url = "http://127.0.0.1:\(server.port)/"
        let outcomes = await withTaskGroup(of: HTTPError.Code?.self) { group in
            for number in 0..<400 {
                group.addTask {
                    let task = Task { await Self.failure(client, url) }
                    for _ in 0..<(number % 50) { await Task.yield() }
                    if number.isMultiple(of: 2) { task.cancel() }
                    return await task.value
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == 400)
        #expect(outcomes.allSatisfy { $0 == nil || $0 == .cancelled })
        #expect(outcomes.filter { $0 == nil }.count >= 200)
    }

    @Test func `shutting down answers everybody, closes the connections and refuses what comes later`() async throws {
        let (closings, announce) = AsyncStream.makeStream(of: Void.self)
        let (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)
        let server = try FaultServer { connection in
            connection.readRequest()
            arrive.yield()
            connection.waitForClose()
            announce.yield()
        }
        let client = HTTPClient(
            HTTPClientConfiguration(version: .http1, maximumConnectionsPerHost: 1), logger: RecordedLog().logger)
        let url = "http://127.0.0.1:\(server.port)/"
        let tasks = (0..<5).map { _ in Task { await Self.failure(client, url) } }
        _ = await arrivals.first { _ in true }
        await client.shutdown()
        for task in tasks { #expect(await task.value == .shutDown) }
        _ = await closings.first { _ in true }
        #expect(await Self.failure(client, url) == .shutDown)
        await client.shutdown()
    }
}
