// SPDX-License-Identifier: Apache-2.0

extension Books {
    /// The books about customers whom nobody ever asked about: everything happened, nothing is revealed.
    package init(customers: [CustomerLife], apps: [SimulatedApp], now: Int64) {
        self.init(
            customers: customers, apps: Dictionary(apps.map { ($0.id, $0) }) { first, _ in first }, now: now,
            revealed: Revelations())
    }
}
