// SPDX-License-Identifier: Apache-2.0

/// A store's text that becomes part of a key: the id of a product, a plan, a transaction, an order or a period.
package enum KeyText {
    /// Characters (Unicode scalars) of the longest one.
    ///
    /// The stores' own have 150 at most, and an index of PostgreSQL takes entries up to 2,704 bytes: two such texts
    /// beside a number fit, four bytes to each character.
    package static let longest = 300

    /// Short enough to be one.
    package static func fits(_ text: String) -> Bool {
        text.utf8.count <= longest || text.unicodeScalars.count <= longest
    }

    /// Why a row with these ids, by the names of their fields, cannot be booked; nil where each fits.
    package static func fault(in ids: KeyValuePairs<String, String?>) -> String? {
        for case (let name, let text?) in ids where !fits(text) {
            return "\(name) is \(text.unicodeScalars.count) characters long; at most \(longest) are taken."
        }
        return nil
    }

    /// The reason of a row that was set aside for it.
    package static let tooLong = "id_too_long"
}
