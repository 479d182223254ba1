// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Testing

@Suite struct JSONTextTests {
    private struct Row: Encodable {
        let productID = "a/b"
        let count = 2
        let names = ["ü", "\"x\""]
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `members are in the order of their names, and slashes as they are`() throws {
        #expect(
            Self.text(try JSONText.encode(Row())) == #"{"count":2,"names":["ü","\"x\""],"productID":"a/b"}"#)
        #expect(
            Self.text(try JSONText.encode(Row(), names: .convertToSnakeCase))
                == #"{"count":2,"names":["ü","\"x\""],"product_id":"a/b"}"#)
    }

    @Test func `indented, each member has a line`() throws {
        #expect(
            Self.text(try JSONText.encode(["b": 1, "a": 2], isIndented: true)) == """
                {
                  "a" : 2,
                  "b" : 1
                }
                """)
    }

    @Test(arguments: ["", "plain", "a\"b\\c", "\u{1}\n\t\u{1F}", "é😀", "/"])
    func `a quoted text is read back as it was`(text: String) throws {
        let quoted = JSONText.quoted(text)
        #expect(try JSONDecoder().decode([String].self, from: Data("[\(quoted)]".utf8)) == [text])
    }

    /// However a value was spelt, it is written as the same value of Foundation's is.
    @Test func `a value of a document is written in one way`() throws {
        let received = #" { "b\u002f" : [ 1.50 , 1e2, "\u00e9\/ x", {} ] , "a" : { "z" : null , "y" : true } } "#
        let document = try #require(JSONDocument(Array(received.utf8)))
        #expect(
            Self.text(try JSONText.encode(JSONNode(document.root, of: document)))
                == #"{"a":{"y":true,"z":null},"b/":[1.5,100,"é/ x",{}]}"#)
    }
}
