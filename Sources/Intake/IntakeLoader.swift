// SPDX-License-Identifier: Apache-2.0

import Load
import Logging
import Model
import Postgres
import Runs
import SQLCatalog
import Stores

/// Writes a round of purchases in one transaction: registrations, the rows from the store's answers, and the verdicts.
///
/// Kill it anywhere and run it again: nothing is registered without its verdict, and nothing twice.
struct IntakeLoader {
    private static let attempts = 5

    let connection: PostgresConnection
    let place: BookingPlace
    /// Beside a night, what proves that the purchases are this intake's.
    let chunk: BesideChunk?
    let appID: AppID
    let logger: Logger

    var run: Run { place.run }

    /// The verdicts, and whether the chunk beside a night was loaded with rows.
    func load(_ purchases: [AssessedPurchase]) async throws -> ([PurchaseVerdict], isBooked: Bool) {
        do {
            return try await Halving.write(
                purchases, attempts: Self.attempts, isOvertaken: { $0 is Overtaken },
                onRetry: { error in
                    logger.info("purchases are written again", metadata: ["app": "\(appID)", "error": "\(error)"])
                },
                withoutRefused: withoutRefused
            ) { purchases in try await connection.withTransaction { _ in try await write(purchases) } }
        } catch is Overtaken {
            throw PipelineError.overtaken(appID)
        }
    }

    private func write(_ purchases: [AssessedPurchase]) async throws -> ([PurchaseVerdict], isBooked: Bool) {
        try await lockRun()
        try await lockKeys(purchases)
        let registered = try await registered(purchases)
        var ownership = try await ownership(of: purchases, registered)
        var verdicts: [PurchaseVerdict] = []
        var accepted: [AcceptedPurchase] = []
        for purchase in purchases {
            let verdict = verdict(on: purchase, &ownership)
            if verdict.state == .accepted, case .genuine(let resolved) = purchase.opinion {
                accepted.append(
                    AcceptedPurchase(
                        account: purchase.inbox.accountID, examined: purchase.examined, resolved: resolved))
            }
            verdicts.append(verdict)
        }
        try await register(accepted, registered)
        let isBooked = try await book(accepted)
        try await settleDeadLetters(purchases, verdicts)
        try await record(verdicts)
        return (verdicts, isBooked)
    }

    private func verdict(on purchase: AssessedPurchase, _ ownership: inout Ownership) -> PurchaseVerdict {
        switch purchase.opinion {
        case .undecided(let failure):
            return PurchaseVerdict(purchase, state: .pending, reason: failure.message)
        case .refused(let refusal):
            var verdict = PurchaseVerdict(purchase, state: .refused, reason: refusal.reason)
            (verdict.genuine, verdict.ours, verdict.isCurrent) = (refusal.genuine, refusal.ours, refusal.isCurrent)
            return verdict
        case .genuine(let resolved):
            let account = purchase.inbox.accountID
            let isAnothers = ownership.belongsToAnother(resolved, than: account)
            var verdict = PurchaseVerdict(
                purchase, state: isAnothers ? .refused : .accepted,
                reason: isAnothers ? "belongs to another account" : nil)
            (verdict.genuine, verdict.ours, verdict.isCurrent) = (true, true, resolved.isCurrent)
            verdict.isNew = ownership.isNew(purchase.identity(resolved))
            verdict.key = resolved.main.key
            if !isAnothers { ownership.take(resolved, purchase.identity(resolved), for: account) }
            return verdict
        }
    }

    /// The same purchases; those that the database refuses beside the ones before them wait.
    ///
    /// Throws what no purchase is the cause of.
    private func withoutRefused(_ purchases: [AssessedPurchase]) async throws -> [AssessedPurchase] {
        var taken: [AssessedPurchase] = []
        let refused = try await Halving.refused(among: purchases) { part in
            try await connection.rehearse { _ in _ = try await write(taken + part) }
            taken += part
        }
        return purchases.enumerated().map { place, purchase in
            refused[place].map { purchase.waiting(because: $0) } ?? purchase
        }
    }
}

extension AssessedPurchase {
    fileprivate func waiting(because error: PostgresError) -> AssessedPurchase {
        var waiting = self
        waiting.opinion = .undecided(
            StoreFailure(.unreadable, reason: error.sqlState ?? "refused", message: error.description))
        return waiting
    }
}

extension PipelineError {
    fileprivate static func overtaken(_ app: AppID) -> PipelineError {
        PipelineError(
            .failed, "purchases of \(app) were registered by somebody else each time they were to be written; run again"
        )
    }
}
