// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Stores

extension PlayStore {
    /// What the store says of a token that is no subscription's, if it is a one-time purchase's; nil where it is none either,
    /// or where the token is known to be a subscription's.
    ///
    /// `failure`: what came of asking for a subscription.
    /// Throws what stops the app, or passes: the token may still be that of a one-time purchase.
    func sale(
        _ due: DueSubscription, unlessOf failure: StoreFailure, through client: ThrottledClient
    ) async throws(StoreFailure) -> StoreAnswer.Document? {
        guard failure.kind == .notFound, due.mayBeSoldOnce else { return nil }
        do throws(StoreFailure) {
            let response = try await connection.get(
                applicationPath + "/purchases/productsv2/tokens/" + URLPath.encode(segment: due.storeKey.reveal()),
                route: "/applications/{package}/purchases/productsv2/tokens/{token}", at: PlayEndpoints.products,
                through: client)
            return StoreAnswer.Document(endpoint: DocumentName.product, body: response.body)
        } catch {
            guard error.kind == .notFound || error.kind == .gone else { throw error }
            return nil
        }
    }
}

extension DueSubscription {
    /// Nothing that renews was ever seen of it.
    fileprivate var mayBeSoldOnce: Bool {
        let isOpen = [.unverified, .pending, .unreachable].contains(snapshot.state)
        return isOpen && known.allSatisfy { $0.kind == .oneTime }
    }
}
