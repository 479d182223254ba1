// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestSupport
import Testing

@testable import Stores

/// A client whose quota is leased in slices: without one nothing is asked.
@Suite(.hangLimit) struct SharedPaceTests {
    /// Leases what its test says.
    private final class Source: SliceSource {
        struct Away: Error, CustomStringConvertible { let description = "the database is away" }

        let patience: Duration
        let asked = Mutex<[WantedSlice]>([])
        /// So many times as long as what is stated here: of another process's lower rate.
        private let slowness: UInt64
        private let answer: @Sendable (WantedSlice) throws -> Int

        init(
            patience: Duration = .seconds(60), slowness: UInt64 = 1,
            _ answer: @escaping @Sendable (WantedSlice) throws -> Int
        ) {
            self.patience = patience
            self.slowness = slowness
            self.answer = answer
        }

        func lease(_ wanted: [WantedSlice]) async throws -> [LeasedSlice] {
            asked.withLock { $0 += wanted }
            return try wanted.map { slice in
                LeasedSlice(
                    quota: slice.quota, endpoint: slice.endpoint, requests: try answer(slice),
                    interval: slice.interval * slowness, beginsIn: 0, pause: 0)
            }
        }
    }

    private static func quota(_ rate: Double = 20_000) -> Quota {
        Quota(Pace(requestsPerSecond: rate, published: 100), name: "a quota")
    }

    private static func sharing<Result>(
        _ quota: Quota, from source: Source, _ body: () async throws -> Result
    ) async throws -> Result {
        try await SharedPace([quota], from: source, logger: RecordedLog().logger).lease(while: body)
    }

    @Test func `requests leave in slices that are leased under the quota's name`() async throws {
        let (quota, source) = (Self.quota(), Source(\.requests))
        let talk = try Talk(quota: quota) { _, _ in .init() }
        try await Self.sharing(quota, from: source) {
            for id in 0..<5 { #expect(await talk.ask("\(id)") == .success("{}")) }
        }
        let asked = source.asked.withLock { $0 }
        #expect(asked.allSatisfy { $0.quota == "a quota" && $0.endpoint == "things" && $0.interval == 50_000 })
        #expect(!asked.isEmpty)
        // Afterwards it is this process's own again.
        #expect(await talk.ask() == .success("{}"))
        #expect(source.asked.withLock { $0.count } == asked.count)
    }

    @Test func `a lower rate than its own is said once, with the quota and the rate that applies`() async throws {
        let (quota, source, log) = (Self.quota(), Source(slowness: 4, \.requests), RecordedLog())
        let talk = try Talk(quota: quota) { _, _ in .init() }
        try await SharedPace([quota], from: source, logger: log.logger).lease {
            for id in 0..<5 { #expect(await talk.ask("\(id)") == .success("{}")) }
        }
        let said = log.lines.filter { $0.contains("another process states a lower rate for this quota") }
        #expect(said.count == 1)
        // A quarter of the 20,000.
        #expect(said.first?.contains("5000") == true && said.first?.contains("a quota") == true)
    }

    /// The lower rate is what all processes of the quota lease by (`QuotaSlicesTests`): a store's "too many" is for all of them.
    @Test func `a job that is asked to slow down states half its rate, and more of it with each second`() async throws {
        let quota = Self.quota(100)
        quota.lease {}
        defer { quota.endLeasing() }
        func stated() async throws -> UInt64 {
            // Who waits for a slice wants one.
            let waiting = Task { await quota.turn(at: Talk.endpoint, before: nil) }
            defer { waiting.cancel() }
            while true {
                if let wanted = quota.wanted().first { return wanted.interval }
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        let whole = try await stated()
        quota.withPacer(of: Talk.endpoint) { $0.slowDown(now: quota.now, until: nil) }
        #expect(try await stated() == 2 * whole)
        let slice = LeasedSlice(
            quota: "a quota", endpoint: Talk.endpoint.name, requests: 1, interval: 2 * whole, beginsIn: 0, pause: 0)
        #expect(!quota.add(slice), "its own, not another process's")
        try await Task.sleep(for: .milliseconds(1_500))
        _ = quota.withPacer(of: Talk.endpoint) { $0.takeSlot(now: quota.now) }
        let grown = try await stated()
        #expect(grown < 2 * whole && grown > whole)
    }

    @Test func `where none is to be had nothing is asked until there is`() async throws {
        let isOpen = Mutex(false)
        let (quota, source) = (Self.quota(), Source { slice in isOpen.withLock { $0 } ? slice.requests : 0 })
        let talk = try Talk(quota: quota) { _, _ in .init() }
        try await Self.sharing(quota, from: source) {
            async let answer = talk.ask()
            try await waitUntil { source.asked.withLock { $0.count } > 2 }
            #expect(talk.server.requests.isEmpty)
            isOpen.withLock { $0 = true }
            #expect(await answer == .success("{}"))
        }
    }

    @Test func `a source that fails for a moment is asked again`() async throws {
        let tries = Mutex(0)
        let (quota, source) = (
            Self.quota(),
            Source { slice in
                guard
                    tries.withLock({
                        $0 += 1; return $0
                    }) > 1
                else { throw Source.Away() }
                return slice.requests
            }
        )
        let talk = try Talk(quota: quota) { _, _ in .init() }
        try await Self.sharing(quota, from: source) { #expect(await talk.ask() == .success("{}")) }
    }

    @Test func `one that fails for longer than it is waited for stops the app, and nothing was asked`() async throws {
        let (quota, source) = (Self.quota(), Source(patience: .zero) { _ in throw Source.Away() })
        let talk = try Talk(quota: quota) { _, _ in .init() }
        try await Self.sharing(quota, from: source) {
            let failure = await talk.ask().failure
            #expect(failure?.kind == .storeDown && failure?.reason == "no_slice")
            #expect(failure?.message.contains("the database is away") == true)
        }
        #expect(talk.server.requests.isEmpty)
    }

    @Test func `who waits for a slice is cancelled, and out of time at its deadline`() async throws {
        let (quota, source) = (Self.quota(), Source { _ in 0 })
        let talk = try Talk(quota: quota) { _, _ in .init() }
        try await Self.sharing(quota, from: source) {
            let waiting = Task { await talk.ask() }
            try await waitUntil { !source.asked.withLock { $0.isEmpty } }
            waiting.cancel()
            #expect(await waiting.value.failure?.kind == .cancelled)
            talk.client.finish(by: .now + .milliseconds(50))
            #expect(await talk.ask().failure?.cause == .outOfTime)
        }
        #expect(talk.server.requests.isEmpty)
    }

    /// A hundred seconds' share of a slice: the first one takes it, and the second one's comes after the end.
    @Test func `an endpoint that closes while requests wait for a slice is waited for by its own time`() async throws {
        let (quota, source) = (Self.quota(), Source { _ in 0 })
        let talk = try Talk(quota: quota) { _, _ in .init() }
        try await Self.sharing(quota, from: source) {
            talk.client.finish(by: .now + .seconds(50))
            async let answer = talk.ask()
            try await waitUntil { !source.asked.withLock { $0.isEmpty } }
            let client = talk.client
            client.withPacer(of: Talk.endpoint) { $0.close(until: client.now + 100_000_000_000) }
            // It closed for longer than the night has time.
            #expect(await answer.failure?.reason == "over_quota")
        }
    }
}
