// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The store behind its endpoints: its customers, its clock, what it shows, and what it remembers having shown.
final class AppStoreBackend: Sendable {
    /// An answer that a real store gave once.
    typealias Recorded = (body: [UInt8], environment: StoreEnvironment)

    private struct State {
        var clock: Int64
        var disclosed = Disclosures()
        var recorded: [String: Recorded] = [:]
        var mistakes = AppStoreMistakes()
    }

    let keys: StoreKeys
    let apps: [SimulatedApp]
    let play: PlayBackend
    let customers: [CustomerLife]
    /// Every notification of each app whose owner named a place to send them, of either version, in their order.
    let notificationsByApp: [String: [AppStoreNotification]]
    private let byTransaction: [String: Int]
    /// Places in `customers` by account, which has one in each app in which it bought.
    private let byAccount: [String: [Int]]
    private let state: Mutex<State>

    init(keys: StoreKeys, apps: [SimulatedApp], customers: [CustomerLife], play: [PlayCustomer] = [], clock: Int64) {
        self.keys = keys
        self.play = PlayBackend(apps: apps, customers: play)
        self.apps = apps
        self.customers = customers
        let notified = Set(apps.filter { $0.hasNotificationURL || $0.hasVersion1Notifications }.map(\.id))
        self.notificationsByApp = Self.notifications(of: customers).filter { notified.contains($0.key) }
        self.state = Mutex(State(clock: clock))
        self.byTransaction = customers.enumerated().reduce(into: [:]) { places, customer in
            for (id, _) in customer.element.everything.flatMap(\.identifiers) { places[id] = customer.offset }
        }
        self.byAccount = Dictionary(grouping: customers.indices) { customers[$0].accountID }
    }

    var clock: Int64 { state.withLock { $0.clock } }
    func setClock(_ now: Int64) { state.withLock { $0.clock = now } }

    var books: Books {
        let (now, disclosed) = state.withLock { ($0.clock, $0.disclosed) }
        return Books(
            customers: customers, apps: Dictionary(uniqueKeysWithValues: apps.map { ($0.id, $0) }), now: now,
            disclosed: disclosed, play: play.books(at: now))
    }

    /// The real answer of a real receipt, byte for byte.
    func record(receipt: String, answer: [UInt8], in environment: StoreEnvironment) {
        state.withLock { $0.recorded[receipt] = (answer, environment) }
    }

    func change(_ change: (inout AppStoreMistakes) -> Void) { state.withLock { change(&$0.mistakes) } }

    var mistakes: AppStoreMistakes { state.withLock { $0.mistakes } }

    func recorded(_ receipt: String) -> Recorded? { state.withLock { $0.recorded[receipt] } }

    /// The customer of that app and environment whom a transaction id belongs to, once that transaction exists.
    func customer(ofTransaction id: String, for reader: AppStoreReader) -> CustomerLife? {
        guard let number = byTransaction[id] else { return nil }
        let customer = customers[number]
        guard customer.appID == reader.app.id, customer.environment == reader.environment else { return nil }
        return customer.purchase(id, at: clock) == nil ? nil : customer
    }

    /// Whose receipt it is: one customer in each app in which that account bought.
    func customers(ofReceipt receipt: String) -> [CustomerLife] {
        guard let data = Data(base64Encoded: receipt) else { return [] }
        let parts = String(decoding: data, as: UTF8.self).split(separator: "|")
        guard parts.count == 3, parts[0] == "receipt" else { return [] }
        return byAccount[String(parts[1]), default: []].map { customers[$0] }
    }

    /// A receipt as the app would read it from the device at that instant: a new one with every transaction.
    static func receipt(of customer: CustomerLife, at now: Int64) -> String {
        let count = customer.purchases(at: now).count
        return Data("receipt|\(customer.accountID)|\(count)".utf8).base64EncodedString()
    }

    /// Remembers what an answer shows: these rows, and the states of these subscriptions.
    func disclose(
        _ shown: [AppStorePurchase], statuses: [SubscriptionLife] = [], of customer: CustomerLife,
        to reader: AppStoreReader, at now: Int64
    ) {
        state.withLock { state in
            guard reader.usable != .nothing else {
                for life in statuses { state.disclosed.fail(life.originalTransactionID, at: now) }
                return
            }
            for purchase in shown {
                let images = customer.images(of: purchase, at: now, in: reader.app, disclosed: state.disclosed)
                for image in images { state.disclosed.show(image, at: now) }
            }
            for life in statuses { showTold(of: life, by: customer, in: reader.app, &state.disclosed) }
            for life in statuses where reader.usable == .everything {
                guard let status = life.status(at: now), let booked = life.booked(of: customer, in: reader.app, at: now)
                else { continue }
                let revokedAt = life.takenBack(status.periodIndex, at: now)?.at
                state.disclosed.record(booked, period: status.periodIndex, revokedAt: revokedAt, at: now)
                let current = AppStorePurchase(life, status.periodIndex)
                guard status.state == .active, current.period.isExtendedByRenewalAlone else { continue }
                for image in customer.images(of: current, at: now, in: reader.app, disclosed: state.disclosed) {
                    state.disclosed.show(image.extended(to: current.period.expiresAt(at: now)), at: now)
                }
            }
        }
    }

    /// A notification that shows a changed row is the store's own word for it, as of its day: it counts with the first answer about its
    /// subscription, where none has shown the row since.
    private func showTold(
        of life: SubscriptionLife, by customer: CustomerLife, in app: SimulatedApp, _ disclosed: inout Disclosures
    ) {
        for told in disclosed.takeTold(of: life.originalTransactionID) {
            for image in customer.images(of: told.purchase, at: told.at, in: app, disclosed: disclosed)
            where disclosed.wasShown(image, before: told.at) {
                disclosed.show(image, at: told.at)
            }
        }
    }

    /// Remembers which changes of rows a reader was notified of.
    func tell(_ sent: some Sequence<AppStoreNotification>, to reader: AppStoreReader) {
        guard reader.usable != .nothing else { return }
        state.withLock { state in
            for one in sent where one.showsChangedRow {
                let customer = customers[one.customer]
                let images = customer.images(of: one.purchase, at: one.at, in: reader.app, disclosed: state.disclosed)
                state.disclosed.tell(one, of: images.map(\.key))
            }
        }
    }

    /// First purchases, repurchases and purchases whose refund was reversed in that time (every purchase on Google Play):
    /// what the app's backend hands in.
    func registrations(since: Int64, until: Int64) -> [Registration] {
        customers.flatMap { customer in
            customer.subscriptions.filter(\.isRegistered).flatMap { life in
                life.periods.indices.flatMap { index in
                    life.handIns(of: index).filter { $0 > since && $0 <= until }
                        .map { registration(of: life, period: life.periods[index], by: customer, at: $0) }
                }
            }
        } + play.registrations(since: since, until: until)
    }

    private func registration(
        of life: SubscriptionLife, period: Period, by customer: CustomerLife, at now: Int64
    ) -> Registration {
        let isReceipt = apps.contains { $0.id == customer.appID && $0.api == .receipts }
        return Registration(
            appID: customer.appID, storeKey: life.storeKey(handedIn: period), accountID: customer.accountID,
            productID: period.productID, environment: customer.environment, expiresAt: period.expiresAt(at: now),
            receipt: isReceipt ? Self.receipt(of: customer, at: now) : nil, country: nil)
    }
}

extension SubscriptionLife {
    /// When the app on the device sees a period anew and reports it to its backend: a purchase (renewals go
    /// unreported), and access that comes back because the refund of the running period was reversed.
    ///
    /// A backend that begins with it late, and with the id of whatever is newest then, knows of nothing before.
    func handIns(of index: Int) -> [Int64] {
        let period = periods[index]
        if let lateHandIn, index <= lateHandIn.value { return index == lateHandIn.value ? [lateHandIn.at] : [] }
        let isBought = index == 0 || (period.reason == .purchase && periods[index - 1].upgradedAt == nil)
        let reversals = period.refundChanges.filter { $0.value == nil && $0.at < period.expiresAt }
        return (isBought ? [period.createdAt] : []) + reversals.map(\.at)
    }

    /// The id under which a period is handed in: the original one, or mistakenly its own.
    func storeKey(handedIn period: Period) -> String {
        lateHandIn.map { periods[$0.value] == period } ?? false ? period.transactionID : originalTransactionID
    }
}
