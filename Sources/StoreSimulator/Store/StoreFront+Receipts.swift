// SPDX-License-Identifier: Apache-2.0

import Foundation

extension StoreFront {
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

    /// verifyReceipt of one of the two environments: HTTP is always 200, the status tells.
    func verify(_ body: [UInt8], in environment: StoreEnvironment, telling: Telling) throws -> DeskAnswer {
        guard let request = try? JSONDecoder().decode(ReceiptRequest.self, from: Data(body)),
            let receipt = request.receipt, Data(base64Encoded: receipt) != nil
        else { return try .text(ReceiptAnswer.Body(status: 21_002)) }
        if let recorded = recorded(receipt) {
            guard recorded.environment == environment else { return try elsewhere(environment) }
            return DeskAnswer(status: 200, type: "text/plain", body: recorded.body)
        }
        for app in apps where app.api == .receipts {
            guard let customer = customer(ofReceipt: receipt, app: app) else { continue }
            guard request.password == keys.apps[app.id]?.sharedSecret else {
                return try .text(ReceiptAnswer.Body(status: 21_004))
            }
            guard customer.environment == environment else { return try elsewhere(environment) }
            return try answer(customer, app, excludesOld: request.excludesOld == true, telling: telling)
        }
        return try .text(ReceiptAnswer.Body(status: 21_003))
    }

    private func elsewhere(_ environment: StoreEnvironment) throws -> DeskAnswer {
        try .text(ReceiptAnswer.Body(status: environment == .production ? 21_007 : 21_008))
    }

    private func answer(
        _ customer: CustomerLife, _ app: SimulatedApp, excludesOld: Bool, telling: Telling
    ) throws -> DeskAnswer {
        let now = clock
        let lives = customer.subscriptions.filter { $0.standing(at: now) != nil }
        let periods = lives.flatMap { life in
            life.periods.indices.filter { life.periods[$0].createdAt <= now }.suffix(excludesOld ? 1 : .max)
                .map { (life: life, index: $0) }
        }
        let sales = customer.sales.filter { $0.purchasedAt <= now }
        reveal(
            periods.map { Shown.period($0.life, $0.index) } + sales.map(Shown.sale), standings: lives, of: customer,
            app: app, at: now, telling: telling)
        let rows = periods.map { ReceiptAnswer.row($0.life.periods[$0.index], of: $0.life, at: now) }
        let sold = sales.map { ReceiptAnswer.row($0, at: now) }
        var dice = SeededGenerator(seed: UInt64(bitPattern: now), stream: UInt64(rows.count))
        let dates = ReceiptAnswer.dates("request_date", now)
        return try .text(
            ReceiptAnswer.Body(
                status: 0, environment: customer.environment.storeName,
                receipt: ReceiptAnswer.Receipt(
                    receipt_type: customer.environment.storeName, bundle_id: app.bundleID, adam_id: app.appAppleID,
                    in_app: Array(rows.prefix(1)) + sold, request_date: dates["request_date"] ?? "",
                    request_date_ms: dates["request_date_ms"] ?? "", request_date_pst: dates["request_date_pst"] ?? ""),
                latest_receipt_info: rows.isEmpty ? nil : dice.shuffled(rows + sold),
                latest_receipt: Self.receipt(of: customer, at: now),
                pending_renewal_info: lives.isEmpty
                    ? nil
                    : lives.compactMap { life in
                        life.standing(at: now).map { ReceiptAnswer.renewal($0, of: life) }
                    }))
    }
}
