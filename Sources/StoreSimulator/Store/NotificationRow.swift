// SPDX-License-Identifier: Apache-2.0

/// A version 2 notification as the App Store signs it.
struct NotificationRow: Encodable {
    struct Content: Encodable {
        /// Not told in the sandbox.
        var appAppleId: Int64?
        var bundleId: String
        var bundleVersion = "1"
        var environment: String
        var signedTransactionInfo: String
        var signedRenewalInfo: String?
        var status: Int?
        var consumptionRequestReason: String?
    }

    var notificationType: String
    var subtype: String?
    var notificationUUID: String
    var version = "2.0"
    var signedDate: Int64
    var data: Content
}

extension StoreKeys {
    /// A notice as it was signed when it was sent: everything in it is of its own instant.
    func sign(_ notice: Notice, to customer: CustomerLife, of app: SimulatedApp) throws -> String {
        let isTest = customer.environment == .sandbox
        var content = NotificationRow.Content(
            appAppleId: isTest ? nil : app.appAppleID, bundleId: app.bundleID,
            environment: customer.environment.storeName, signedTransactionInfo: "")
        switch notice.subject {
        case .sale(let sale):
            content.signedTransactionInfo = try sign(TransactionRow(sale, by: customer, in: app, at: notice.at))
            if notice.type == "CONSUMPTION_REQUEST" { content.consumptionRequestReason = "UNINTENDED_PURCHASE" }
        case .subscription(let life, let index):
            content.signedTransactionInfo = try sign(
                TransactionRow(life.periods[index], of: life, by: customer, in: app, at: notice.at))
            if let standing = life.standing(at: notice.at) {
                content.signedRenewalInfo = try sign(RenewalRow(standing, of: life, by: customer, at: notice.at))
                content.status = standing.status.rawValue
            }
        }
        return try sign(
            NotificationRow(
                notificationType: notice.type, subtype: notice.subtype, notificationUUID: notice.uuid(in: app.id),
                signedDate: notice.at / 1_000, data: content))
    }
}
