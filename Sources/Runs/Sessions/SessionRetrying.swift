// SPDX-License-Identifier: Apache-2.0

import Foundations
internal import Postgres

/// How often and how long a lost session is opened again.
struct SessionRetrying: Sendable {
    /// Work that has lost so many sessions in a row may be what ends them.
    static let mostTries = 200
    private static let backoff = Backoff(base: .milliseconds(200), cap: .seconds(5), attempts: mostTries)

    let patience: Duration

    /// With jitter, so that sessions lost together do not come back together.
    func pause(afterTry number: Int) -> Duration {
        Self.backoff.delay(afterAttempt: number, random: .random(in: 0..<1))
    }

    /// The failure in a few words, without values.
    func words(for error: any Error) -> String {
        switch error {
        case let error as PostgresError: error.message
        case let error as PostgresTransactionError: (error.commit ?? error.rollback).message
        default: "the database is lost"
        }
    }
}
