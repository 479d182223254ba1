// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Model
import Stores
@testable import AppStore
@Suite struct ZBench {
    @Test func bench() throws {
        let store = try Acme.configuration().store(clock: { Acme.now })
        let s = try Rows.statuses(); let h = try Rows.history((0..<12).map { Rows.transaction(["transactionId": "\($0)"]) }, revision: "r")
        for (name, docs) in [("statuses", [StoreAnswer.Document(endpoint: "statuses", body: s)]), ("with history 12", [StoreAnswer.Document(endpoint: "statuses", body: s), StoreAnswer.Document(endpoint: "history", body: h)])] {
            let a = StoreAnswer(inquiry: Inquiry(subscriptions: [Acme.due()]), environment: .production, documents: docs, answeredAt: Acme.now)
            let d = try ContinuousClock().measure { for _ in 0..<300 { _ = try store.read(a) } }
            print("BENCH", name, docs.reduce(0) { $0 + $1.body.count }, d / 300)
        }
    }
}
