// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension AppStoreServer {
    /// A look at a one-time sale for refunds: its transaction alone, which shows what became of it since.
    func lookedAt(
        _ sale: DueSubscription, _ inquiry: Inquiry, in environments: [PurchaseEnvironment],
        through client: ThrottledClient
    ) async throws(StoreFailure) -> StoreAnswer {
        try await looking(in: environments) { (environment) async throws(StoreFailure) in
            try await transaction(sale.storeKey, inquiry, in: environment, through: client)
        }
    }
}
