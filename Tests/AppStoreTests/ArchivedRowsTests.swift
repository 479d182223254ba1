// SPDX-License-Identifier: Apache-2.0

import Signing
import Testing

@testable import AppStore

@Suite struct ArchivedRowsTests {
    private static let header = "aGVhZGVy"

    private static func document(_ payload: String) -> String { #"{"a":"\#(header).\#(payload).c2ln","b":"x"}"# }

    private static func archived(_ document: String) -> String {
        String(decoding: ArchivedRows.archived(Array(document.utf8), chains: ["7": header]), as: UTF8.self)
    }

    @Test(arguments: [
        (#"{"id":1}"#, #"{\"id\":1}"#), (#"{"a":"b\\.c\"d"}"#, #"{\"a\":\"b\\\\.c\\\"d\"}"#),
        ("{\n\t\"é\":\"\u{1F600}\"}", #"{\u000a\u0009\"é\":\"😀\"}"#),
    ])
    func `A payload is decoded, and comes back to the byte`(json: String, spelt: String) {
        let document = Self.document(Base64URL.encode(Array(json.utf8)))
        let archived = Self.archived(document)
        #expect(archived == #"{"a":"chain:7.\#(spelt).c2ln","b":"x"}"#)
        #expect(ArchivedRows.restored(archived, chains: ["7": Self.header]) == document)
    }

    /// No object, no UTF-8, no base64url: as it came.
    @Test(arguments: [Base64URL.encode(Array("[1]".utf8)), Base64URL.encode([0x7B, 0xFF, 0x7D]), "***", "", "e30="])
    func `What is no object's JSON stays as it is spelt`(payload: String) {
        let document = Self.document(payload)
        let archived = Self.archived(document)
        #expect(archived == #"{"a":"chain:7.\#(payload).c2ln","b":"x"}"#)
        #expect(ArchivedRows.restored(archived, chains: ["7": Self.header]) == document)
    }

    /// As rows were kept before their payloads were decoded.
    @Test func `Rows of older archives come back, too`() {
        let old = #"{"a":"chain:7.eyJpZCI6MX0.c2ln","b":["chain:8.eyJpZCI6MX0.c2ln"]}"#
        #expect(
            ArchivedRows.restored(old, chains: ["7": Self.header])
                == #"{"a":"aGVhZGVy.eyJpZCI6MX0.c2ln","b":["chain:8.eyJpZCI6MX0.c2ln"]}"#)
    }

    @Test func `A document that is cut within a row is neither lost nor read beyond its end`() {
        for count in 0..<40 {
            let cut = String(Self.document("eyJpZCI6MX0").prefix(count))
            #expect(ArchivedRows.restored(Self.archived(cut), chains: ["7": Self.header]) == cut)
        }
    }
}
