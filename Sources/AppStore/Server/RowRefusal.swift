// SPDX-License-Identifier: Apache-2.0

import Model
import Signing
import Stores

/// Why a row of an answer was not taken.
struct RowRefusal: Error, Hashable {
    /// What follows from it for a purchase whose only evidence the row is.
    enum Kind: Hashable {
        case missingBundle, wrongBundle, wrongEnvironment
        /// It cannot be believed, or not be read.
        case other
    }

    var kind = Kind.other
    /// A short word for the table.
    let reason: String
    /// A sentence without any id.
    let detail: String
    /// As the row says itself, whether it can be believed or not; nil where it says none.
    var transactionID: String?

    static let missingBundle = RowRefusal(
        kind: .missingBundle, reason: AnswerFault.missingBundle.rawValue, detail: "The row names no app.")
    static let wrongBundle = RowRefusal(
        kind: .wrongBundle, reason: AnswerFault.wrongBundle.rawValue, detail: "The row is about another app.")
    static let wrongEnvironment = RowRefusal(
        kind: .wrongEnvironment, reason: AnswerFault.wrongEnvironment.rawValue,
        detail: "The row is not of the environment that was asked.")
    static let strangeRenewal = RowRefusal(
        reason: "strange_renewal", detail: "The renewal information is about another subscription.")
    static let notJSON = RowRefusal(reason: "malformed_row", detail: "The signed payload is not the JSON of a row.")
    static let unreadableElement = RowRefusal(
        reason: "malformed_row", detail: "An element of the answer is not what the store documents.")

    static func missing(_ field: String) -> RowRefusal {
        RowRefusal(reason: "missing_field", detail: "The row has no usable \(field).")
    }

    /// `ids`: those of the row that become keys, by the names of their fields.
    static func checkLength(of ids: KeyValuePairs<String, String?>) throws(RowRefusal) {
        if let fault = KeyText.fault(in: ids) { throw RowRefusal(reason: KeyText.tooLong, detail: fault) }
    }

    func of(_ transactionID: String?) -> RowRefusal {
        RowRefusal(kind: kind, reason: reason, detail: detail, transactionID: transactionID)
    }

    /// A transaction's row that was refused.
    func row(of storeKey: String?) -> RefusedRow {
        RefusedRow(
            storeKey: storeKey.map(Secret.init), reason: reason, detail: detail,
            transactionID: transactionID ?? SetAside.unidentified)
    }

    /// Renewal information that was refused: it is about no single transaction.
    func renewal(of storeKey: String?) -> RefusedRow {
        RefusedRow(storeKey: storeKey.map(Secret.init), reason: reason, detail: detail, transactionID: nil)
    }
}
