// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The store behind the counter: its customers, its clock, what it shows, and what it remembers having shown.
final class StoreFront: Sendable {
    struct State {
        var clock: Int64
        var revealed = Revelations()
        var recorded: [String: (body: [UInt8], environment: StoreEnvironment)] = [:]
    }

    let keys: StoreKeys
    let apps: [SimulatedApp]
    let play: PlayFront
    private let customers: [CustomerLife]
    private let byTransaction: [String: Int]
    private let state: Mutex<State>

    init(keys: StoreKeys, apps: [SimulatedApp], customers: [CustomerLife], play: [PlayCustomer] = [], clock: Int64) {
        self.keys = keys
        self.play = PlayFront(apps: apps, customers: play)
        self.apps = apps
        self.customers = customers
        self.state = Mutex(State(clock: clock))
        var index: [String: Int] = [:]
        for (number, customer) in customers.enumerated() {
            for life in customer.subscriptions { for period in life.periods { index[period.transactionID] = number } }
        }
        self.byTransaction = index
    }

    var clock: Int64 { state.withLock { $0.clock } }
    func setClock(_ now: Int64) { state.withLock { $0.clock = now } }

    var books: Books {
        let (now, revealed) = state.withLock { ($0.clock, $0.revealed) }
        return Books(
            customers: customers, apps: Dictionary(uniqueKeysWithValues: apps.map { ($0.id, $0) }), now: now,
            revealed: revealed, play: play.books(at: now))
    }

    /// The real answer of a real receipt, byte for byte.
    func record(receipt: String, answer: [UInt8], in environment: StoreEnvironment) {
        state.withLock { $0.recorded[receipt] = (answer, environment) }
    }

    func recorded(_ receipt: String) -> (body: [UInt8], environment: StoreEnvironment)? {
        state.withLock { $0.recorded[receipt] }
    }

    /// The customer of an app that a transaction id belongs to, once that transaction exists.
    func customer(ofTransaction id: String, app: SimulatedApp) -> CustomerLife? {
        let now = clock
        guard let number = byTransaction[id], customers[number].appID == app.id else { return nil }
        let periods = customers[number].subscriptions.flatMap(\.periods)
        return periods.contains { $0.transactionID == id && $0.createdAt <= now } ? customers[number] : nil
    }

    /// The customer a receipt was made for.
    func customer(ofReceipt receipt: String, app: SimulatedApp) -> CustomerLife? {
        guard let data = Data(base64Encoded: receipt) else { return nil }
        let parts = String(decoding: data, as: UTF8.self).split(separator: "|")
        guard parts.count == 3, parts[0] == "receipt" else { return nil }
        return customers.first { $0.accountID == parts[1] && $0.appID == app.id }
    }

    /// A receipt as the app would read it from the device at that instant: a new one with every transaction.
    static func receipt(of customer: CustomerLife, at now: Int64) -> String {
        let count = customer.subscriptions.flatMap(\.periods).count { $0.createdAt <= now }
        return Data("receipt|\(customer.accountID)|\(count)".utf8).base64EncodedString()
    }

    /// Remembers what an answer shows: rows of these periods, and the standing of these subscriptions.
    func reveal(
        _ periods: [(life: SubscriptionLife, index: Int)], standings: [SubscriptionLife], of customer: CustomerLife,
        app: SimulatedApp, at now: Int64, telling: Telling
    ) {
        guard telling != .nothing else { return }
        state.withLock { state in
            for (life, index) in periods {
                let told = state.revealed.endings[life.originalTransactionID] ?? [:]
                let image = customer.image(of: life, period: index, at: now, in: app, told: told)
                if let image { state.revealed.show(image) }
            }
            for life in standings where telling == .everything {
                guard let standing = life.standing(at: now), let told = life.booked(of: customer, at: now) else {
                    continue
                }
                state.revealed.tell(told, period: standing.periodIndex)
            }
        }
    }

    /// First purchases and repurchases of that time (every purchase on Google Play): what the app's backend hands in.
    func registrations(since: Int64, until: Int64) -> [Registration] {
        customers.flatMap { customer in
            customer.subscriptions.filter(\.isRegistered).flatMap { life in
                life.periods.indices.filter { index in
                    let period = life.periods[index]
                    guard period.createdAt > since, period.createdAt <= until else { return false }
                    return index == 0 || (period.reason == .purchase && life.periods[index - 1].upgradedAt == nil)
                }.map { registration(of: life, period: life.periods[$0], by: customer) }
            }
        } + play.registrations(since: since, until: until)
    }

    private func registration(of life: SubscriptionLife, period: Period, by customer: CustomerLife) -> Registration {
        let isReceipt = apps.first { $0.id == customer.appID }?.api == .receipts
        return Registration(
            appID: customer.appID, storeKey: life.originalTransactionID, accountID: customer.accountID,
            productID: period.productID, environment: customer.environment, expiresAt: period.expiresAt,
            receipt: isReceipt ? Self.receipt(of: customer, at: period.createdAt) : nil, country: nil)
    }
}
