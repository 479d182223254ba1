// SPDX-License-Identifier: Apache-2.0

/// Renews a lease while the work that it protects goes on: at a third of its life, and four times as often after a failure.
///
/// What is leased, how, and what a lease that is lost means to the work, is the owner's to say.
package struct LeaseRenewal: Sendable {
    private let life: Duration
    private let renew: @Sendable () async throws -> Void
    private let recover: @Sendable (_ error: any Error, _ failingFor: Duration) throws -> Void

    /// - Parameters:
    ///   - life: how long a lease lasts after it was renewed.
    ///   - renew: renews it once; throws where that failed.
    ///   - recover: is given what `renew` threw, and for how long it has failed in a row, zero at first. It returns where the lease is
    ///     to be tried again, and throws where the work is to stop: that error ends it.
    package init(
        life: Duration, renew: @escaping @Sendable () async throws -> Void,
        recover: @escaping @Sendable (_ error: any Error, _ failingFor: Duration) throws -> Void
    ) {
        self.life = life
        self.renew = renew
        self.recover = recover
    }

    /// Does the work, and renews the lease until it is done.
    ///
    /// The first renewal comes after a third of the lease's life.
    ///
    /// Throws what the work throws, and what `recover` throws; work that comes to its end although it was to stop is done.
    package func maintain<Result: Sendable>(
        while work: @Sendable @escaping () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await repeatRenewing()
                return nil
            }
            var failure: (any Error)?
            while let ended = await group.nextResult() {
                switch ended {
                // Its work was done when the lease went, or it would have thrown.
                case .success(let result?):
                    group.cancelAll()
                    return result
                case .success(nil): continue
                case .failure(let error):
                    failure = failure ?? error
                    group.cancelAll()
                }
            }
            throw failure ?? CancellationError()
        }
    }

    /// Returns only by cancellation.
    private func repeatRenewing() async throws {
        var failsSince: ContinuousClock.Instant?
        while (try? await Task.sleep(for: failsSince == nil ? life / 3 : life / 12)) != nil {
            do {
                try await renew()
                failsSince = nil
            } catch {
                guard !Task.isCancelled else { return }
                let now = ContinuousClock.now
                let since = failsSince ?? now
                try recover(error, now - since)
                failsSince = since
            }
        }
    }
}
