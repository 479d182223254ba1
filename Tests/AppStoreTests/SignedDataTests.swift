// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import TestSupport
import Testing

@testable import AppStore

/// Rows that somebody signed, and not the store, or not for us: each alone in its answer, so that the refusal is its own.
@Suite struct SignedDataTests {
    private let signers: Signers

    init() throws { signers = try Signers.shared.get() }

    @Test func `the store's own row is taken`() throws {
        #expect(try signers.refusal(of: try signers.sign(Rows.transaction(), by: signers.good)) == nil)
    }

    @Test func `a developer's leaf under the right root is refused`() throws {
        #expect(
            try signers.refusal(of: try signers.sign(Rows.transaction(), by: signers.developer)) == "not_verified")
    }

    /// The signer ended on 2025-10-11; a row of 2025-09-01 is the store's, one of March 2026 cannot be.
    @Test func `an expired leaf with a later signed date is refused, an earlier one is not`() throws {
        let later = try signers.sign(Rows.transaction(), by: signers.expired)
        #expect(try signers.refusal(of: later) == "not_verified")
        let earlier = Rows.transaction(["signedDate": 1_756_684_800_000])
        #expect(try signers.refusal(of: try signers.sign(earlier, by: signers.expired)) == nil)
    }

    @Test func `another bundle is refused`() throws {
        let row = try signers.sign(Rows.transaction(["bundleId": "com.other.app"]), by: signers.good)
        #expect(try signers.refusal(of: row) == "wrong_bundle")
    }

    @Test(arguments: [PurchaseEnvironment.production, .sandbox])
    func `another environment is refused`(asked: PurchaseEnvironment) throws {
        let other = asked == .production ? "Sandbox" : "Production"
        let row = try signers.sign(Rows.transaction(["environment": other]), by: signers.good)
        #expect(try signers.refusal(of: row, environment: asked) == "wrong_environment")
    }

    /// The store's libraries skip the signature for these: here neither environment takes them, however well signed.
    @Test(arguments: ["Xcode", "LocalTesting"], [PurchaseEnvironment.production, .sandbox])
    func `data of Xcode and of local tests is refused`(name: String, asked: PurchaseEnvironment) throws {
        let row = Rows.transaction(["environment": name])
        #expect(
            try signers.refusal(of: try signers.sign(row, by: signers.good), environment: asked) == "wrong_environment")
        let unsigned = try signers.sign(row, by: signers.developer)
        #expect(try signers.refusal(of: unsigned, environment: asked) == "not_verified")
    }

    @Test func `a truncated chain is refused`() throws {
        for length in 0...2 {
            let chain = Array(signers.good.chain.prefix(length))
            let row = try signers.sign(Rows.transaction(), by: signers.good, chain: chain)
            #expect(try signers.refusal(of: row) == "not_verified", "\(length) certificates")
        }
    }

    @Test func `four certificates are refused`() throws {
        let chain = signers.good.chain + [signers.root]
        let row = try signers.sign(Rows.transaction(), by: signers.good, chain: chain)
        #expect(try signers.refusal(of: row) == "not_verified")
    }

    @Test func `renewal information of another environment, or of Xcode, is set aside and changes nothing`() throws {
        for name in ["Sandbox", "Xcode", "LocalTesting"] {
            let renewal = Rows.renewal(["environment": name, "autoRenewStatus": 0])
            let reading = try Acme.read(try Rows.statuses(status: 1, Rows.transaction(), renewal))
            #expect(reading.setAside.map(\.reason) == ["wrong_environment"])
            #expect(reading.observations.first?.status?.autoRenew == nil)
            #expect(reading.observations.first?.periods.count == 1)
        }
    }
}
