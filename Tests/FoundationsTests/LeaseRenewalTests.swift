// SPDX-License-Identifier: Apache-2.0

import Foundations
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct LeaseRenewalTests {
    private struct Refused: Error {}
    private struct Lost: Error {}

    /// Counts renewals; those numbered fail.
    private final class Lease: Sendable {
        private let renewals = Mutex(0)
        private let failures: ClosedRange<Int>?

        init(failing failures: ClosedRange<Int>? = nil) { self.failures = failures }

        var count: Int { renewals.withLock { $0 } }

        func renew() throws {
            let number = renewals.withLock { count in
                count += 1
                return count
            }
            if failures?.contains(number) == true { throw Refused() }
        }

        func wait(for count: Int) async throws {
            while self.count < count { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    private static func renewal(
        of lease: Lease, recover: @escaping @Sendable (any Error, Duration) throws -> Void = { error, _ in throw error }
    ) -> LeaseRenewal {
        LeaseRenewal(life: .milliseconds(24), renew: { try lease.renew() }, recover: recover)
    }

    @Test func `a lease is renewed until the work is done`() async throws {
        let lease = Lease()
        let result = try await Self.renewal(of: lease).maintain {
            try await lease.wait(for: 3)
            return 7
        }
        #expect(result == 7)
    }

    @Test func `what fails is tried again as long as its owner says so`() async throws {
        let lease = Lease(failing: 1...4)
        let spells = Mutex<[Duration]>([])
        try await Self.renewal(of: lease) { _, failingFor in spells.withLock { $0.append(failingFor) } }.maintain {
            try await lease.wait(for: 6)
        }
        let seen = spells.withLock { $0 }
        #expect(seen.count == 4 && seen.first == .zero)
        // A spell is counted from its first failure on.
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `a lease that is lost stops the work, with what its owner made of it`() async throws {
        let lease = Lease(failing: 2...2)
        await #expect(throws: Lost.self) {
            try await Self.renewal(of: lease) { _, _ in throw Lost() }.maintain {
                try await Task.sleep(for: .seconds(3_600))
            }
        }
        #expect(lease.count == 2)
    }

    @Test func `work that comes to its end although it was to stop is done`() async throws {
        let lease = Lease(failing: 1...1)
        let result = try await Self.renewal(of: lease).maintain {
            while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
            return 7
        }
        #expect(result == 7)
    }

    @Test func `work that fails says why`() async {
        await #expect(throws: Refused.self) {
            try await Self.renewal(of: Lease()).maintain { throw Refused() }
        }
    }
}
