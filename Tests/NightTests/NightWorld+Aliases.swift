// SPDX-License-Identifier: Apache-2.0

import Postgres

@testable import StoreSimulator

/// Ids of later transactions that were handed in: the row of each is closed, has nothing booked, and is linked to the original
/// transaction id's. Whatever state such a row keeps, it stands for no subscription of its own.
extension NightWorld {
    /// Whether `held` is such a row.
    static let isAlias = """
        held.store = 'app_store'
        and held.linked_to is not null
        and not exists (
            select from subledger.transactions sold where sold.subscription_key = held.subscription_key)
        """

    /// Whether `held` is something sold once that awaits its payment: it is asked about, and is no subscription.
    static let isPendingSale = "held.state = 'pending' and held.expires_at is null"

    /// Those that nobody will ask about again.
    func bookedAliases() async throws -> Set<BookedAlias> {
        let rows = try await connection.query(
            Statement(
                name: "later ids handed in",
                text: """
                    select held.app_id, held.store_key, original.store_key as original_key
                    from subledger.subscriptions held
                    join subledger.subscriptions original on original.subscription_key = held.linked_to
                    where held.next_check_at is null and \(Self.isAlias)
                    """))
        return Set(
            try rows.map { row in
                BookedAlias(
                    appID: try row.string("app_id"), storeKey: try row.string("store_key"),
                    originalTransactionID: try row.string("original_key"))
            })
    }
}
