// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

/// A secret is its bytes, and never printed.
@Suite struct SecretTests {
    @Test(arguments: ["", "a", "ünï✓", String(repeating: "token", count: 500)])
    func `it gives out what it was given`(_ text: String) {
        let secret = Secret(text)
        #expect(secret.reveal() == text)
        #expect(secret.withBytes { $0.count } == text.utf8.count)
        #expect(secret == Secret(text) && Set([secret, Secret(text)]).count == 1)
        #expect(secret != Secret(text + "x"))
    }

    /// As a store compares them; as words of a language both would be one.
    @Test func `two spellings of one letter are two secrets`() {
        #expect(Secret("\u{e9}") != Secret("e\u{301}"))
    }

    @Test func `it is not printed`() {
        let secret = Secret("canary")
        var dumped = ""
        dump([secret], to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), "\([secret])", dumped] {
            #expect(!text.contains("canary"), "\(text)")
        }
    }
}
