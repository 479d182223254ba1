// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Testing

/// What goes into URLs and forms.
@Suite struct EncodingTests {
    @Test(
        arguments: [
            ("AZaz09-._~", "AZaz09-._~"), ("a/b?c#d", "a%2Fb%3Fc%23d"), ("100 %", "100%20%25"),
            ("é", "%C3%A9"), ("a+b:c@d", "a%2Bb%3Ac%40d"), ("", ""),
        ])
    func `a path segment leaves unreserved characters unchanged and encodes the rest`(plain: String, encoded: String) {
        #expect(URLPath.encode(segment: plain) == encoded)
    }

    @Test func `every byte's encoding is undone by Foundation`() {
        let text = String(String.UnicodeScalarView((0..<0x250).compactMap(Unicode.Scalar.init)))
        #expect(URLPath.encode(segment: text).removingPercentEncoding == text)
    }

    @Test func `a form joins its fields in order, with a plus for a space`() {
        let body = FormEncoding.encode([
            ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("a b", "1&2=3"), ("empty", ""),
        ])
        let expected = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&a+b=1%262%3D3&empty="
        #expect(String(decoding: body, as: UTF8.self) == expected)
    }
}
