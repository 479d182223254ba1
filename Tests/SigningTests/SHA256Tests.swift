// SPDX-License-Identifier: Apache-2.0

import Foundations
import Signing
import Testing

/// SHA-256 against the vectors of FIPS 180-4 and of the subscription keys.
@Suite struct SHA256Tests {
    @Test(
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func `digests are those of FIPS 180-4`(text: String, hex: String) {
        #expect(Hex.encode(SHA256.digest(of: text)) == hex)
        #expect(Hex.encode(SHA256.digest(Array(text.utf8))) == hex)
        #expect(Hex.encode(SHA256.digest(Array(("x" + text + "x").utf8).dropFirst().dropLast())) == hex)
    }

    @Test
    func `a digest made piece by piece is that of the whole: a million times the letter a, of FIPS 180-4`() throws {
        let running = try RunningSHA256()
        for length in [1, 999, 0, 64_000, 335_000, 600_000] {
            try running.update([UInt8](repeating: UInt8(ascii: "a"), count: length))
        }
        #expect(
            Hex.encode(try running.finish()) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        #expect(Hex.encode(try RunningSHA256().finish()) == Hex.encode(SHA256.digest(of: "")))
    }

    @Test(
        arguments: [
            ("acme-ios", "1000000481802759", Int64(7_928_393_119_289_343_153)),
            ("acme-android", "opaque-token-例", Int64(3_878_063_171_969_060_724)),
        ])
    func `a subscription key is the first 63 bits of the digest of app, zero byte and store key`(
        app: String, storeKey: String, expected: Int64
    ) {
        let digest = SHA256.digest(Array(app.utf8) + [0] + Array(storeKey.utf8))
        let first = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        #expect(Int64(first & 0x7FFF_FFFF_FFFF_FFFF) == expected)
    }
}
