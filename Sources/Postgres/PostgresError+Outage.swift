// SPDX-License-Identifier: Apache-2.0

extension PostgresError {
    /// The session is of no use any more, and nothing is wrong with the work: another session may do it, now or when the server
    /// is back.
    package var isOutage: Bool {
        switch code {
        case .connectionLost, .readOnly, .commitOutcomeUnknown: true
        case .connectionFailed: disposition == .retry
        default: isTooManyConnections
        }
    }

    /// The server, the database or the role allows no further connection.
    package var isTooManyConnections: Bool { sqlState == "53300" }

    /// The same of any error; false of one that came from elsewhere.
    package static func isOutage(_ error: any Error) -> Bool {
        switch error {
        case let error as PostgresError: error.isOutage
        case let error as PostgresTransactionError: error.isOutage
        default: false
        }
    }

    package static func isTooManyConnections(_ error: any Error) -> Bool {
        (error as? PostgresError)?.isTooManyConnections ?? false
    }
}

extension PostgresTransactionError {
    fileprivate var isOutage: Bool {
        closure.map(PostgresError.isOutage) ?? false || commit?.isOutage ?? false || rollback.isOutage
    }
}
