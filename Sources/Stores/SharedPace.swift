// SPDX-License-Identifier: Apache-2.0

package import Logging

/// Leases the slices of all quotas of a process, many in one go, while its work goes on: what it asks the stores and
/// what other processes ask shares one pace for each quota and endpoint.
///
/// Without a slice nothing is asked.
package struct SharedPace: Sendable {
    /// How often is looked at what is wanted and who waited too long, besides when a request finds no slice.
    private static let tick = Duration.milliseconds(100)

    private let quotas: [String: Quota]
    private let source: any SliceSource
    private let logger: Logger

    /// `quotas`: those without a name stay this process's own.
    package init(_ quotas: [Quota], from source: any SliceSource, logger: Logger) {
        self.quotas = Dictionary(
            quotas.compactMap { quota in quota.name.map { ($0, quota) } }, uniquingKeysWith: { first, _ in first })
        self.source = source
        self.logger = logger
    }

    /// Leases slices until the work ends.
    package func lease<Result>(while work: () async throws -> Result) async throws -> Result {
        let (demands, demand) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        for quota in quotas.values { quota.lease { demand.yield() } }
        defer { for quota in quotas.values { quota.endLeasing() } }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await lease(on: demands) }
            group.addTask { await tick(demand) }
            defer { group.cancelAll() }
            return try await work()
        }
    }

    private func tick(_ demand: AsyncStream<Void>.Continuation) async {
        while (try? await Task.sleep(for: Self.tick)) != nil {
            for quota in quotas.values { quota.serve() }
            demand.yield()
        }
    }

    /// A source that fails is asked again every second; who waits for it is given up when its patience is over.
    private func lease(on demands: AsyncStream<Void>) async {
        var failsSince: ContinuousClock.Instant?
        for await _ in demands {
            let wanted = quotas.values.flatMap { $0.wanted() }
            guard !wanted.isEmpty else { continue }
            let began = ContinuousClock.now
            do {
                for slice in try await source.lease(wanted) { add(slice) }
                failsSince = nil
            } catch {
                guard !Task.isCancelled else { return }
                if failsSince == nil { logger.warning("no share of the stores' quotas can be leased: \(error)") }
                let since = failsSince ?? began
                failsSince = since
                if .now >= since + source.patience {
                    for quota in quotas.values { quota.giveUp("\(error)") }
                }
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func add(_ slice: LeasedSlice) {
        guard quotas[slice.quota]?.add(slice) == true else { return }
        logger.notice(
            "another process states a lower rate for this quota: it applies to all",
            metadata: [
                "quota": "\(slice.quota)", "endpoint": "\(slice.endpoint)",
                "requests_per_second": "\(1_000_000_000 / Double(max(slice.interval, 1)))",
            ])
    }
}
