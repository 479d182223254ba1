// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Answers of `verifyReceipt` and other documents as the stores once gave them, to be changed where a test says so.
enum Receipts {
    static func text(_ name: String) throws -> String {
        guard let url = Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: "json") else {
            throw TestSupportError("the fixture \(name) is missing")
        }
        return try String(contentsOf: url, encoding: .utf8)
    }

    /// The fixture as an object that a test may change.
    static func object(_ name: String) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(try text(name).utf8))
        guard let object = value as? [String: Any] else { throw TestSupportError("the fixture is no object") }
        return object
    }

    static func json(_ object: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }

    /// Changes each transaction row of an answer.
    static func changingRows(
        of object: [String: Any], _ change: (inout [String: Any]) -> Void
    ) -> [String: Any] {
        func changed(_ rows: Any?) -> [[String: Any]] {
            (rows as? [[String: Any]] ?? []).map { row in
                var row = row
                change(&row)
                return row
            }
        }
        var object = object
        if let latest = object["latest_receipt_info"] { object["latest_receipt_info"] = changed(latest) }
        var receipt = object["receipt"] as? [String: Any] ?? [:]
        receipt["in_app"] = changed(receipt["in_app"])
        object["receipt"] = receipt
        return object
    }
}
