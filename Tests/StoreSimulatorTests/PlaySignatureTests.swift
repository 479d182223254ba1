// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing
import Testing

@testable import StoreSimulator

/// What a device hands to the app's backend: the purchase data with the licence key's signature.
@Suite struct PlaySignatureTests {
    @Test func `A5: the signature is over the exact bytes, by the key that the configuration names`() async throws {
        try await PlayServer.with([PlayServer.month()], clock: "2026-01-05T00:00:00Z") { door in
            let purchase = try #require(try door.stores.signedPurchase(ofToken: "token-acme-android"))
            let data = try JSONSerialization.jsonObject(with: Data(purchase.data.utf8)) as? [String: Any]
            #expect(data?["orderId"] as? String == PlayPaper.base)
            #expect(data?["packageName"] as? String == "com.acme.app")
            #expect(data?["productId"] as? String == "com.acme.app.monthly")
            #expect(data?["purchaseTime"] as? Int64 == 1_767_261_600_000)
            #expect(data?["purchaseState"] as? Int == 0 && data?["autoRenewing"] as? Bool == true)
            let file = try door.keys().licenceKeyFile
            #expect(door.stores.appsConfiguration().contains("licence_key_file: \(file)"))
            let directory = door.directory
            let key = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
            let verdict = { (text: String) throws -> Bool in
                try Data(try #require(Data(base64Encoded: key))).write(to: URL(fileURLWithPath: directory + "/k.der"))
                try Data(text.utf8).write(to: URL(fileURLWithPath: directory + "/data"))
                let signature = try #require(Data(base64Encoded: purchase.signature))
                try signature.write(to: URL(fileURLWithPath: directory + "/sig"))
                let tool = OpenSSLTool(directory: directory)
                do {
                    try tool.run(
                        "dgst", "-sha1", "-verify", "k.der", "-keyform", "DER", "-signature", "sig", "data")
                    return true
                } catch { return false }
            }
            #expect(try verdict(purchase.data))
            #expect(try !verdict(purchase.data + " "))
            #expect(try !verdict(purchase.data.replacing("monthly", with: "yearly")))
            #expect(try door.stores.signedPurchase(ofToken: "stranger") == nil)
        }
    }
}
