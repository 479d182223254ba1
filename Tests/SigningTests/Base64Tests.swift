// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing
import Testing

/// Both flavours of base64 against RFC 4648 and against Foundation.
@Suite struct Base64Tests {
    @Test(
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func `both flavours give the vectors of RFC 4648`(plain: String, padded: String) {
        let bytes = Array(plain.utf8)
        let bare = padded.replacing("=", with: "")
        #expect(Base64.encode(bytes) == padded)
        #expect(Base64.decode(padded) == bytes)
        #expect(Base64URL.encode(bytes) == bare)
        #expect(Base64URL.decode(bare) == bytes)
    }

    @Test func `every byte at every place survives, and Foundation agrees`() throws {
        for length in 1...5 {
            for value in UInt8.min...UInt8.max {
                let bytes = (0..<length).map { value &+ UInt8($0 * 37) }
                #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
                #expect(Base64.decode(Base64.encode(bytes)) == bytes)
                #expect(Base64URL.encode(bytes) == SignatureForms.base64URL(bytes))
                #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
            }
        }
    }

    @Test(arguments: ["Zg", "Zg=", "Z===", "====", "Zm8=Zm8=", "Zm9v\n", " Zm9v", "Zh==", "Zm9=", "-_-_", "Zm9vé"])
    func `what is not strict standard base64 is refused`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(arguments: ["Zg==", "Z", "Zm9vY", "+/+/", "Zm9v ", "Zh", "Zm9", "Zm.v", "Zm9vé"])
    func `what is not strict base64url is refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }
}
