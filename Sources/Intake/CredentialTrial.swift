// SPDX-License-Identifier: Apache-2.0

import Extract
import Fetch
import Logging
import Model
import Postgres
import Runs
import SQLCatalog
import Stores

/// Whether a store that refuses an app's credential for a purchase that was handed in takes it for what it answered for before: then the
/// purchase is another app's, and stops nothing. It is tried once.
actor CredentialTrial {
    private let app: StoreApp
    private let connection: PostgresConnection
    private let now: Instant
    private let logger: Logger
    private var trial: Task<Bool, Never>?

    init(of app: StoreApp, on connection: PostgresConnection, now: Instant, logger: Logger) {
        (self.app, self.connection, self.now, self.logger) = (app, connection, now, logger)
    }

    /// Whether what became of a purchase stops its app.
    func stops(_ failure: StoreFailure) async -> Bool {
        guard app.store.mayBeOfPurchase(failure) else { return failure.stopsApp }
        let trial = trial ?? Task { await isTaken() }
        self.trial = trial
        return await !trial.value
    }

    /// False where nothing of the app was answered before, or the trial itself failed.
    private func isTaken() async -> Bool {
        do {
            guard let row = try await connection.query(SQL.Intake.findAnsweredReceipt, [PostgresValue(app.id)]).first
            else { return false }
            let known = try await ExtractStage(connection: connection).read(
                keys: [try row.subscriptionKey("subscription_key")], now: now, isAudit: false, refundWatchDays: [])
            let fetched = await FetchStage(
                store: app.store, client: app.client, maxInFlight: 1, stops: { _ in false }, logger: logger
            )
            .fetch(known)
            return fetched.outcomes.contains { (try? $0.result.get()) != nil }
        } catch {
            logger.warning("whether the credential is taken could not be tried", metadata: ["error": "\(error)"])
            return false
        }
    }
}
