// SPDX-License-Identifier: Apache-2.0

import GooglePlay
import Stores
import Synchronization

/// The access tokens of a run's apps: apps with the same credential share them, so that it is refreshed once for all.
final class SharedCredentials: Sendable {
    private let known = Mutex<[GoogleCredential: AccessTokens]>([:])

    /// - Throws: `credential`, when the service account's file cannot be used.
    func tokens(
        of configuration: GooglePlayConfiguration, _ credential: GoogleCredential,
        asking client: () -> ThrottledClient
    ) throws(StoreFailure) -> AccessTokens {
        if let tokens = known.withLock({ $0[credential] }) { return tokens }
        let tokens = try configuration.tokens(through: client())
        known.withLock { $0[credential] = tokens }
        return tokens
    }
}
