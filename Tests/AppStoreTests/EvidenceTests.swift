// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import Testing

@testable import AppStore

/// Which document of an answer a row stands in.
@Suite("Documents of rows")
struct EvidenceTests {
    @Test func `B12: a row of a page of history names that page, and one of the statuses the statuses`() throws {
        let older = Rows.transaction([
            "transactionId": "2001", "webOrderLineItemId": "9001", "purchaseDate": Rows.march - 30 * 86_400_000,
            "expiresDate": Rows.march, "revocationDate": Rows.signed - 1_000, "revocationReason": 0,
        ])
        let reading = try Acme.read(
            try Rows.statuses(status: 1, Rows.transaction()), history: [try Rows.history([older], revision: "r")])
        let hashes = reading.archive.map(\.answerHash)
        #expect(Set(hashes).count == 2)
        #expect(reading.documentHashes == ["2001": hashes[1], "2002": hashes[0]])
    }
}
