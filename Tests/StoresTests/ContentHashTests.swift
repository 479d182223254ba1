// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Signing
import Testing

@testable import Stores

@Suite struct ContentHashTests {
    private static func hash(_ text: String, _ payloads: [String: String] = [:]) -> String {
        var signed = SignedTexts()
        for (text, json) in payloads {
            guard let document = JSONDocument(Array(json.utf8)) else { preconditionFailure("no JSON: \(json)") }
            signed.note(text, saying: document)
        }
        return ContentHash.of(Array(text.utf8), without: ["signedDate"], expanding: signed)
    }

    @Test(arguments: [
        (#"{"a":1,"b":[2,3]}"#, #" { "b" : [ 3, 2 ], "a" : 1 } "#),
        (#"{"a":"é/"}"#, #"{"a":"\u00e9\/"}"#),
        (#"{"a":0.5}"#, #"{"a":5e-1}"#),
        (#"{"a":1,"signedDate":5}"#, #"{"signedDate":"later","a":1}"#),
    ])
    func `The same content has one hash, however it is spelt and ordered`(one: String, other: String) {
        #expect(Self.hash(one) == Self.hash(other))
    }

    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":2}"#), (#"{"a":[1,[2]]}"#, #"{"a":[[1],2]}"#),
        (#"{"a":"b","c":""}"#, #"{"a":"","c":"b"}"#), (#"{"a":null}"#, #"{}"#), (#"{"a":true}"#, #"{"a":false}"#),
        (#"{"a":[]}"#, #"{"a":{}}"#),
    ])
    func `Other content has another one`(one: String, other: String) {
        #expect(Self.hash(one) != Self.hash(other))
    }

    @Test func `A signed text counts by what it says`() {
        let signature = String(repeating: "s", count: 86)
        let (one, other) = ("x.y.\(signature)", "u.v.\(signature)")
        let hash = Self.hash(#"{"row":"\#(one)"}"#, [one: #"{"id":7,"signedDate":1}"#])
        #expect(hash == Self.hash(#"{"row":"\#(other)"}"#, [other: #"{"signedDate":2,"id":7}"#]))
        #expect(hash != Self.hash(#"{"row":"\#(other)"}"#, [other: #"{"signedDate":2,"id":8}"#]))
        #expect(hash != Self.hash(#"{"row":"\#(other)"}"#))
        // Another text under the same signature was never verified.
        #expect(hash != Self.hash(#"{"row":"\#(other)"}"#, [one: #"{"id":7}"#]))
    }

    @Test func `What is no JSON is hashed as it is`() {
        #expect(Self.hash("<html>") == Hex.encode(Array(SHA256.digest(Array("<html>".utf8)).prefix(16))))
    }

    /// What is kept once must not be kept again because the program is a newer one: hashes were first made of Foundation's values.
    @Test func `Hashes are those of the first release`() throws {
        for text in [
            #"{"status":1,"ok":true,"no":false,"none":null,"big":1700000000000,"minus":-5,"half":0.5,"e":2.5e3}"#,
            #"{"données":["b","a",{"z":"\u00e9","a":"😀"}],"empty":{},"list":[[],{}],"long":123456789012345678901234}"#,
            #"[{"price":{"units":"4","nanos":990000000}},{"price":{"currencyCode":"USD"}}]"#,
        ] {
            let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
            #expect(Self.hash(text) == Hex.encode(Array(SHA256.digest(Self.canonical(value)).prefix(16))))
        }
    }

    /// The rule in the words of Foundation's values.
    private static func canonical(_ value: Any) -> [UInt8] {
        func framed(_ text: String) -> [UInt8] { Array("\(text.utf8.count):\(text)".utf8) }
        func joined(_ mark: String, _ parts: [[UInt8]]) -> [UInt8] {
            Array("\(mark)\(parts.count):".utf8) + parts.sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self)
        }
        return switch value {
        case let text as String: framed(text)
        case let object as [String: Any]: joined("{", object.map { framed($0.key) + canonical($0.value) })
        case let array as [Any]: joined("[", array.map(canonical))
        default: framed("\(value)")
        }
    }
}
