// SPDX-License-Identifier: Apache-2.0

import Foundation

extension AppStoreBackend {
    struct ReceiptRequest: Decodable {
        let receipt: String?
        let password: String?
        /// Only the latest row of each subscription is wanted.
        let excludesOld: Bool?

        enum CodingKeys: String, CodingKey {
            case receipt = "receipt-data"
            case password
            case excludesOld = "exclude-old-transactions"
        }
    }

    /// verifyReceipt of one of the two environments: HTTP is always 200, the status field says what failed.
    func verify(_ body: [UInt8], in environment: StoreEnvironment, usable: UsableContent) throws -> StoreResponse {
        guard let request = try? JSONDecoder().decode(ReceiptRequest.self, from: Data(body)),
            let receipt = request.receipt, Data(base64Encoded: receipt) != nil
        else { return try .text(["status": 21_002]) }
        if let recorded = recorded(receipt) {
            guard recorded.environment == environment else { return try elsewhere(environment) }
            return StoreResponse(status: 200, type: "text/plain", body: recorded.body)
        }
        let owners = customers(ofReceipt: receipt)
        for app in apps where app.api == .receipts {
            guard let customer = owners.first(where: { $0.appID == app.id }) else { continue }
            guard request.password == keys.apps[app.id]?.sharedSecret else { return try .text(["status": 21_004]) }
            guard customer.environment == environment else { return try elsewhere(environment) }
            let malformed = mistakes.malformedReceipts
            guard !customer.subscriptions.contains(where: { malformed.contains($0.originalTransactionID) }) else {
                return try .text(["status": 21_002])
            }
            let reader = AppStoreReader(app: app, environment: environment, usable: usable)
            return try answer(of: customer, to: reader, excludesOld: request.excludesOld == true)
        }
        return try .text(["status": 21_003])
    }

    private func elsewhere(_ environment: StoreEnvironment) throws -> StoreResponse {
        try .text(["status": environment == .production ? 21_007 : 21_008])
    }

    private func answer(
        of customer: CustomerLife, to reader: AppStoreReader, excludesOld: Bool
    ) throws -> StoreResponse {
        let now = clock
        let lives = customer.subscriptions.filter { $0.status(at: now) != nil }
        let periods = lives.flatMap { life in
            life.periods.indices.filter { life.periods[$0].createdAt <= now }.suffix(excludesOld ? 1 : .max)
                .map { AppStorePurchase(life, $0) }
        }
        let sales = customer.sales.filter { $0.purchasedAt <= now }.map(AppStorePurchase.init(sale:))
        disclose(periods + sales, statuses: lives, of: customer, to: reader, at: now)
        let rows = periods.map { mistakes.spoilt(ReceiptAnswer.row(of: $0, at: now), at: now) }
        let sold = sales.map { ReceiptAnswer.row(of: $0, at: now) }
        var random = SeededGenerator(seed: UInt64(bitPattern: now), stream: UInt64(rows.count))
        return try .text([
            "status": 0, "environment": customer.environment.storeName,
            "receipt": ReceiptAnswer.receipt(of: customer, in: reader.app, rows: rows.prefix(1) + sold, at: now),
            "latest_receipt_info": rows.isEmpty ? nil : random.shuffled(rows + sold),
            "latest_receipt": Self.receipt(of: customer, at: now),
            "pending_renewal_info": ReceiptAnswer.renewals(of: customer, at: now),
        ])
    }
}
