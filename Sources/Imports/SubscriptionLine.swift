// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model

/// One line of `import subscriptions`, checked: the database takes it as it is.
struct SubscriptionLine {
    static let columns = [
        "app_id", "store_key", "account_id", "product_id", "environment", "expires_at", "country", "receipt",
    ]
    private static let longestReceipt = 4_000_000

    let appID: String
    /// Nil: the receipt replaces it.
    let storeKey: String?
    let accountID: String?
    let productID: String?
    let environment: String?
    let expiresAt: Instant?
    let country: String?
    let receipt: String?

    /// Checks a line's columns against the configured apps.
    init(_ fields: [String: String], apps: [String: SubscriptionImport.App]) throws(BadLine.Reason) {
        if let unknown = fields.keys.filter({ !Self.columns.contains($0) }).min() {
            throw "unknown column \(BadLine.Reason(quoting: unknown))"
        }
        appID = try Self.required("app_id", fields)
        guard let app = apps[appID] else { throw "unknown app \(BadLine.Reason(quoting: appID))" }
        storeKey = try Self.storeKey(fields, of: app.store)
        accountID = try Self.short("account_id", fields)
        productID = try Self.short("product_id", fields)
        environment = try Self.environment(fields)
        expiresAt = try Self.instant("expires_at", fields)
        country = try Self.country(fields)
        receipt = try Self.receipt(fields)
        guard storeKey != nil || (app.readsReceipts && receipt != nil) else { throw "missing store_key" }
    }

    private static func storeKey(
        _ fields: [String: String], of store: StoreKind
    ) throws(BadLine.Reason) -> String? {
        guard let text = fields["store_key"].map(StoreID.trimmed), !text.isEmpty else { return nil }
        do throws(StoreID.Fault) {
            return try StoreID.checked(text, of: store)
        } catch {
            throw "bad store_key \(BadLine.Reason(quoting: text)): \(BadLine.Reason(error.reason))"
        }
    }

    private static func required(_ name: String, _ fields: [String: String]) throws(BadLine.Reason) -> String {
        guard let text = try short(name, fields) else { throw "missing \(BadLine.Reason(name))" }
        return text
    }

    private static func short(_ name: String, _ fields: [String: String]) throws(BadLine.Reason) -> String? {
        guard let text = fields[name].map(StoreID.trimmed), !text.isEmpty else { return nil }
        guard PlainText.isPlain(text) else {
            throw "bad \(BadLine.Reason(name)): it holds control characters or is too long"
        }
        return text
    }

    private static func environment(_ fields: [String: String]) throws(BadLine.Reason) -> String? {
        guard let text = try short("environment", fields) else { return nil }
        guard PurchaseEnvironment(rawValue: text) != nil else {
            throw "bad environment \(BadLine.Reason(quoting: text)): production or sandbox"
        }
        return text
    }

    private static func instant(_ name: String, _ fields: [String: String]) throws(BadLine.Reason) -> Instant? {
        guard let text = try short(name, fields) else { return nil }
        guard let instant = Instant(iso8601: text) else {
            throw "bad date \(BadLine.Reason(quoting: text)) in \(BadLine.Reason(name)): write 2026-03-01T00:00:00Z"
        }
        return instant
    }

    private static func country(_ fields: [String: String]) throws(BadLine.Reason) -> String? {
        guard let text = try short("country", fields) else { return nil }
        guard let code = Country.code(text) else {
            throw "bad country \(BadLine.Reason(quoting: text)): \(BadLine.Reason(Country.fault(of: text)))"
        }
        return code
    }

    /// Never repeated in a reason: it is as good as a password.
    private static func receipt(_ fields: [String: String]) throws(BadLine.Reason) -> String? {
        guard let text = fields["receipt"].map(StoreID.trimmed), !text.isEmpty else { return nil }
        guard text.utf8.count <= longestReceipt, Data(base64Encoded: text) != nil else {
            throw "bad receipt: it is no base64, or too long"
        }
        return text
    }
}
