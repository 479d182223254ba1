// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing

@Suite("Subscription keys")
struct IdentityTests {
    @Test(
        arguments: [
            ("acme-ios", "1000000481802759", 7_928_393_119_289_343_153),
            ("acme-android", "opaque-token-例", 3_878_063_171_969_060_724),
        ] as [(String, String, Int64)])
    func `a key is the first 63 bits of the digest of app, a zero byte and store key`(
        app: String, storeKey: String, expected: Int64
    ) {
        #expect(SubscriptionKey(appID: AppID(app), storeKey: storeKey).rawValue == expected)
    }
}
