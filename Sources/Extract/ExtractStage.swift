// SPDX-License-Identifier: Apache-2.0

package import Model
package import Postgres
internal import SQLCatalog

/// Extract: plans what is due as chunks of a run, and reads the subscriptions of a chunk with what is known of each.
///
/// Nothing but chunk rows is locked, and no transaction is open while a store is asked.
package struct ExtractStage: Sendable {
    let connection: PostgresConnection

    package init(connection: PostgresConnection) { self.connection = connection }

    /// The subscriptions of a chunk, in its order.
    ///
    /// Keys that are no longer there are left out.
    package func read(
        keys: [SubscriptionKey], now: Instant, isAudit: Bool, refundWatchDays: [Int64]
    ) async throws(PostgresError) -> [DueSubscription] {
        let parameters: [PostgresValue] = [.intArray(keys.map(\.rawValue))]
        let awaited = try await awaitedOrders(parameters)
        let known = try await periods(SQL.Extract.listKnownPeriods, parameters)
        let earlier = try await periods(SQL.Extract.listEarlierPeriods, parameters)
        let setAside = try await rowsSetAside(parameters)
        var due: [DueSubscription] = []
        for row in try await connection.query(SQL.Extract.listDue, parameters) {
            let key = try row.subscriptionKey("subscription_key")
            let watch = Watch(now: now, isAudit: isAudit, days: refundWatchDays)
            due.append(
                try DueSubscription(
                    row, known: known[key] ?? [], earlier: earlier[key] ?? [], awaited: awaited[key] ?? [],
                    setAside: setAside[key] ?? [], watch: watch))
        }
        guard due.count < keys.count else { return due }
        let sales = try await sales(parameters, besides: Set(due.map(\.key)))
        return sales.isEmpty ? due : (due + sales).inOrder(of: keys)
    }

    /// Those of the keys that are one-time sales, to be looked at for refunds.
    private func sales(
        _ parameters: [PostgresValue], besides subscriptions: Set<SubscriptionKey>
    ) async throws(PostgresError) -> [DueSubscription] {
        var lines: [SubscriptionKey: [PostgresRow]] = [:]
        for row in try await connection.query(SQL.Extract.listDueSales, parameters) {
            lines[try row.subscriptionKey("subscription_key"), default: []].append(row)
        }
        var sales: [DueSubscription] = []
        for (key, rows) in lines where !subscriptions.contains(key) {
            sales.append(try DueSubscription(sale: key, rows))
        }
        return sales
    }

    private func awaitedOrders(
        _ parameters: [PostgresValue]
    ) async throws(PostgresError) -> [SubscriptionKey: [AwaitedOrder]] {
        var orders: [SubscriptionKey: [AwaitedOrder]] = [:]
        for row in try await connection.query(SQL.Extract.listAwaitedOrders, parameters) {
            orders[try row.subscriptionKey("subscription_key"), default: []].append(
                AwaitedOrder(
                    id: try row.string("transaction_id"), lastAskedAt: try row.instant("last_asked_at"),
                    nights: try row.int("nights")))
        }
        return orders
    }

    private func rowsSetAside(
        _ parameters: [PostgresValue]
    ) async throws(PostgresError) -> [SubscriptionKey: [RowSetAside]] {
        var letters: [SubscriptionKey: [RowSetAside]] = [:]
        for row in try await connection.query(SQL.Extract.listOpenDeadLetters, parameters) {
            letters[try row.subscriptionKey("subscription_key"), default: []].append(try RowSetAside(row))
        }
        return letters
    }

    private func periods(
        _ statement: Statement, _ parameters: [PostgresValue]
    ) async throws(PostgresError) -> [SubscriptionKey: [KnownPeriod]] {
        var periods: [SubscriptionKey: [KnownPeriod]] = [:]
        for row in try await connection.query(statement, parameters) {
            periods[try row.subscriptionKey("subscription_key"), default: []].append(try KnownPeriod(row))
        }
        return periods
    }
}

extension [DueSubscription] {
    fileprivate func inOrder(of keys: [SubscriptionKey]) -> [DueSubscription] {
        let places = Dictionary(keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        return sorted { places[$0.key, default: 0] < places[$1.key, default: 0] }
    }
}
