// SPDX-License-Identifier: Apache-2.0

import Stores

/// What a row says of a bundle or suite (StoreKit 27): the subscription that includes what the row is about.
///
/// StoreKit names the fields; how the server spells them is not published. They are taken in any spelling of case, and with or
/// without underscores, from among the fields that no page of the server's documents.
struct BundleReference: Hashable {
    /// Of the bundle's own transaction.
    let transactionID: String?
    /// Of the bundle's first transaction.
    let originalTransactionID: String?

    /// Nil where none of the fields is of a bundle.
    ///
    /// `names`: the fields that are not documented.
    init?(_ fields: Fields, among names: [String]) {
        let named = names.filter(Self.isKnown)
        guard !named.isEmpty else { return nil }
        transactionID = named.first { Self.plain($0) == "bundletransactionid" }.flatMap(fields.text)
        originalTransactionID = named.first { Self.plain($0) == "bundleoriginaltransactionid" }.flatMap(fields.text)
    }

    /// The transaction of a bundle that includes the row's; nil for the bundle's own row, and for one that names none.
    func transaction(including transactionID: String?, of originalTransactionID: String?) -> String? {
        let isOther =
            self.transactionID.map { $0 != transactionID } == true
            || self.originalTransactionID.map { $0 != originalTransactionID } == true
        return isOther ? self.transactionID ?? self.originalTransactionID : nil
    }

    static func isKnown(_ name: String) -> Bool { names.contains(plain(name)) }

    private static func plain(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }

    private static let names: Set<String> = [
        "bundletransactionid", "bundleoriginaltransactionid", "bundleproductid", "bundlesubscriptiongroupid",
        "bundlesubscriptiongroupidentifier", "willunbundle",
    ]
}
