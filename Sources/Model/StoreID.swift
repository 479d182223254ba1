// SPDX-License-Identifier: Apache-2.0

/// Whether a text can be the id by which a store is asked about a purchase: an App Store transaction id, or a Google
/// Play purchase token.
///
/// One rule for imports, inboxes and notifications; `subledger.register` has the same one in SQL.
package enum StoreID {
    /// Digits of the longest App Store id, and bytes of the longest token.
    private static let longestNumber = 20
    private static let token = 5...2_000

    /// Why a text is none.
    package enum Fault: Error, Sendable, Hashable {
        /// Excel or its like has written it: as a rounded number, a formula, with separators or in quotes.
        case changedBySpreadsheet
        /// Of Google Play: an order's id, which does not lead to a purchase.
        case orderID
        case noNumber
        case noToken

        /// For a person.
        package var reason: String {
            switch self {
            case .changedBySpreadsheet: "a spreadsheet has changed it: export the column as text"
            case .orderID: "it is an order id: Google Play is asked with the purchase token"
            case .noNumber: "an App Store transaction id has 1 to 20 digits, the first of them not 0"
            case .noToken: "a purchase token has 5 to 2,000 visible ASCII characters"
            }
        }
    }

    /// The text without the white space around it, if it is an id of the store.
    package static func checked(_ text: String, of store: StoreKind) throws(Fault) -> String {
        let id = trimmed(text)
        guard let fault = store == .appStore ? numberFault(id) : tokenFault(id) else { return id }
        throw fault
    }

    /// Without the white space around it: Unicode's White_Space, U+FEFF and U+200B.
    package static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isSpace($0) }),
            let last = scalars.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(scalars[first...last])
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.value == 0xFEFF || scalar.value == 0x200B
    }

    private static func numberFault(_ id: String) -> Fault? {
        if id.utf8.allSatisfy(isDigit), (1...longestNumber).contains(id.utf8.count), !id.hasPrefix("0") { return nil }
        return isOfSpreadsheet(id) ? .changedBySpreadsheet : .noNumber
    }

    private static func tokenFault(_ id: String) -> Fault? {
        if isQuoted(id) || isRounded(id) { return .changedBySpreadsheet }
        if isOrderID(id) { return .orderID }
        let isToken = token.contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isToken ? nil : .noToken
    }

    /// A number with what spreadsheets put into or around it.
    private static func isOfSpreadsheet(_ id: String) -> Bool {
        if isRounded(id) { return true }
        let isMark: (Unicode.Scalar) -> Bool = { "=\"'’,._\u{A0}\u{202F} ".unicodeScalars.contains($0) }
        let digits = id.unicodeScalars.filter { !isMark($0) }
        return !digits.isEmpty && digits.count < id.unicodeScalars.count
            && digits.allSatisfy { $0.isASCII && $0.properties.numericType == .decimal }
    }

    /// `1.00000048180276E+15`, `2e14`.
    private static func isRounded(_ id: String) -> Bool {
        id.utf8.first.map(isDigit) == true && id.wholeMatch(of: /[0-9]+([.,][0-9]+)?[Ee][+]?[0-9]+/) != nil
    }

    /// `="…"` and `'…`.
    private static func isQuoted(_ id: String) -> Bool {
        id.hasPrefix("=\"") || id.hasPrefix("'") || id.hasPrefix("\"")
    }

    /// `GPA.1234-5678-9012-34567`, and `12999763169054705758.1375794066587622` of old orders.
    private static func isOrderID(_ id: String) -> Bool {
        id.lowercased().hasPrefix("gpa.")
            || (id.utf8.first.map(isDigit) == true && id.wholeMatch(of: /[0-9]+\.[0-9]+/) != nil)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
