// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
internal import Postgres
package import Runs
internal import SQLCatalog

/// `import subscriptions`: hands a file of purchases in, as the app's backend would one by one.
///
/// Good lines go in, bad ones are named; the same file twice changes nothing but when its subscriptions are asked
/// about.
package struct SubscriptionImport: Sendable {
    /// An app that lines may name.
    package struct App: Sendable {
        package let id: AppID
        package let store: StoreKind
        /// A bare receipt may replace the store's id.
        package let readsReceipts: Bool

        package init(id: AppID, store: StoreKind = .appStore, readsReceipts: Bool) {
            self.id = id
            self.store = store
            self.readsReceipts = readsReceipts
        }
    }

    /// What became of the lines.
    package struct Outcome: Sendable, Hashable {
        /// Lines that went in.
        package var good = 0
        /// Subscriptions that were not there before.
        package var new = 0
        package var bad: [BadLine] = []
    }

    /// Lines per transaction, and how many bytes of receipts at most.
    private static let batchLines = 5_000
    private static let batchBytes = 8_000_000
    /// How often a batch is written again because somebody registered one of its subscriptions meanwhile.
    private static let attempts = 5

    private let sessions: DatabaseSessions
    private let logger: Logger
    private let leaseSeconds: Int64

    package init(sessions: DatabaseSessions, logger: Logger, leaseSeconds: Int64 = RunLedger.leaseSeconds) {
        self.sessions = sessions
        self.leaseSeconds = leaseSeconds
        self.logger = logger
    }

    /// Imports the file as a run of the apps it names.
    ///
    /// Throws `PipelineError` where one of them has an open run.
    package func run(
        _ file: ImportFile, apps: [App], now: Instant, businessDate: BusinessDate
    ) async throws -> Outcome {
        let known = Dictionary(apps.map { ($0.id.rawValue, $0) }) { first, _ in first }
        let (checked, named) = check(file, known)
        guard !named.isEmpty else { return checked }
        let request = RunRequest(.import, apps: named.sorted(), now: now, businessDate: businessDate)
        let ledRun = LedRun(sessions: sessions, leaseSeconds: leaseSeconds, logger: logger)
        return try await ledRun.run(request, ifBroken: .failed(counts: [:])) { _ in
            var outcome = try await write(file, for: known, at: now)
            outcome.bad = (checked.bad + outcome.bad).sorted { $0.number < $1.number }
            return outcome
        } conclude: { _, _, outcome, _ in
            RunEnding(outcome, outcome: outcome.bad.isEmpty ? .done : .partial, counts: outcome.counts)
        }
    }

    /// Names the bad lines, and the apps of the good ones.
    private func check(_ file: ImportFile, _ apps: [String: App]) -> (Outcome, Set<AppID>) {
        var outcome = Outcome()
        var named: Set<AppID> = []
        if let refusal = file.refusal(beside: SubscriptionLine.columns) {
            outcome.bad = [BadLine(number: 1, reason: refusal)]
            return (outcome, [])
        }
        for line in file.lines() {
            switch Self.read(line, apps) {
            case .success(let good): named.insert(AppID(good.appID))
            case .failure(let reason): outcome.bad.append(BadLine(number: line.number, reason: reason))
            }
        }
        return (outcome, named)
    }

    private static func read(
        _ line: ImportFile.Line, _ apps: [String: App]
    ) -> Result<SubscriptionLine, BadLine.Reason> {
        line.content.flatMap { fields in
            Result { () throws(BadLine.Reason) in try SubscriptionLine(fields, apps: apps) }
        }
    }

    private func write(_ file: ImportFile, for apps: [String: App], at now: Instant) async throws -> Outcome {
        var outcome = Outcome()
        var batch = RegistrationBatch()
        for line in file.lines() {
            guard case .success(let good) = Self.read(line, apps) else { continue }
            batch.add(good, number: line.number)
            guard batch.count >= Self.batchLines || batch.bytes >= Self.batchBytes else { continue }
            try await write(batch, now, into: &outcome)
            batch = RegistrationBatch()
        }
        if batch.count > 0 { try await write(batch, now, into: &outcome) }
        return outcome
    }

    /// Lines that the database refuses are found by halving, and named like any bad one.
    private func write(_ batch: RegistrationBatch, _ now: Instant, into outcome: inout Outcome) async throws {
        do {
            outcome.add(try await write(batch, now, attempt: 1), of: batch)
        } catch let error as PostgresError where error.isPerhapsOfRecord {
            let refused = try await Halving.refused(among: batch.entries) { part in
                let part = RegistrationBatch(part)
                outcome.add(try await write(part, now, attempt: 1), of: part)
            }
            outcome.bad += refused.map { place, error in
                BadLine(number: batch.entries[place].number, reason: "the database refuses it: \(error)")
            }
        }
    }

    private func write(
        _ batch: RegistrationBatch, _ now: Instant, attempt: Int
    ) async throws -> RegistrationBatch.Outcome {
        do {
            // Where its session is lost it is written again: what is there already is known then.
            return try await sessions.use { connection in
                try await connection.withTransaction { try await batch.write(on: $0, now: now) }
            }
        } catch is Overtaken where attempt < Self.attempts {
            return try await write(batch, now, attempt: attempt + 1)
        } catch is Overtaken {
            throw PipelineError(
                .failed,
                "subscriptions of the file were registered by somebody else each time they were to be written; "
                    + "run again")
        }
    }
}

extension SubscriptionImport.Outcome {
    fileprivate mutating func add(_ written: RegistrationBatch.Outcome, of batch: RegistrationBatch) {
        good += batch.count - written.refused.count
        new += written.new
        bad += written.refused
    }

    fileprivate var counts: [String: Int64] {
        ["lines": Int64(good), "new": Int64(new), "bad_lines": Int64(bad.count)]
    }
}
