// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Foundations

@Suite struct JSONDocumentTests {
    /// RFC 8259, and what breaks it.
    @Test(arguments: [
        ("{}", true), ("[]", true), (" \t\r\n{ } ", true), (#"{"a":[1,-2.5e+3,0,true,false,null,"x"]}"#, true),
        (#"["\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00"]"#, true), ("[1E2,0.5]", true), (#"{"":{"":[[]]}}"#, true),
        ("\u{FEFF}{}", true), ("", false), ("\u{FEFF}", false), ("{}\u{FEFF}", false), ("1", false),
        (#""text""#, false), ("{", false), ("[", false), ("[1,]", false), ("[,1]", false),
        (#"{"a"}"#, false), (#"{"a":}"#, false), (#"{"a":1,}"#, false), (#"{a:1}"#, false), ("[01]", false),
        ("[1.]", false), ("[.5]", false), ("[-]", false), ("[+1]", false), ("[1e]", false), ("[tru]", false),
        ("[nan]", false), (#"["\x"]"#, false), (#"["\u12g4"]"#, false), (#"["\u+123"]"#, false),
        (#"["\uD83D"]"#, true),
        (#"["\uDE00"]"#, true), (#"["\uD83Dx"]"#, true), (#"["\uD83D\u12"]"#, false), (#"["\uD83D\x"]"#, false),
        ("[\"a\nb\"]", false), (#"["a]"#, false),
        (#"["a\"]"#, false),
        ("{} {}", false), ("[1}", false), ("{]", false),
    ])
    func `Reads what RFC 8259 calls JSON, and nothing else`(text: String, isJSON: Bool) {
        #expect((JSONDocument(Array(text.utf8)) != nil) == isJSON)
    }

    /// A store cuts texts off after so many UTF-16 units.
    @Test(arguments: [
        (#"ok \ud83d"#, "ok \u{FFFD}"), (#"\ude00!"#, "\u{FFFD}!"), (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"),
        (#"\ud83d\u00e9"#, "\u{FFFD}é"), (#"\ud83d\n"#, "\u{FFFD}\n"),
    ])
    func `Half a surrogate pair is U+FFFD, and noted once for the document`(written: String, read: String) throws {
        let document = try #require(JSONDocument(Array(#"{"a":"\#(written)","b":{"c":"x"}}"#.utf8)))
        #expect(document.root["a"].flatMap(document.text) == read)
        #expect(document.hasLoneSurrogate)
        let sound = try #require(JSONDocument(Array(#"{"a":"\ud83d\ude00"}"#.utf8)))
        #expect(!sound.hasLoneSurrogate)
    }

    @Test func `Refuses what is not UTF-8, and depths that no answer has`() {
        #expect(JSONDocument(Array("[\"".utf8) + [0xC3, 0x28] + Array("\"]".utf8)) == nil)
        #expect(JSONDocument(Array(repeating: UInt8(ascii: "["), count: 1_000_000)) == nil)
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(JSONDocument(Array(deep.utf8)) != nil)
    }

    /// Foundation reads them back as they were.
    @Test func `Every character of a text is escaped where JSON wants it, and nowhere else`() throws {
        let characters = (0..<0x80).compactMap { Unicode.Scalar($0) }.map(String.init) + ["é", "😀", #"\""#, "\"\""]
        for character in characters {
            for text in [character, "a\(character)", "\(character)b", "a\(character)\(character)b"] {
                let escaped = JSONEscapes.escaped(Array(text.utf8))
                let read = try JSONDecoder().decode(
                    [String].self, from: Data(Array("[\"".utf8) + escaped + Array("\"]".utf8)))
                #expect(read == [text])
                #expect(JSONEscapes.resolved(escaped[...]) == Array(text.utf8))
            }
        }
        #expect(JSONEscapes.escaped(Array("a\"b\\c\nd/é".utf8)) == Array(#"a\"b\\c\u000ad/é"#.utf8))
    }

    /// Texts are looked through many bytes at a time: nothing hides at the edges of a step.
    @Test func `What no text may contain is found wherever it is`() throws {
        for length in [1, 15, 16, 17, 31, 32, 33, 64, 100] {
            for place in 0..<length {
                func text(_ part: String) -> JSONDocument? {
                    let padding = (String(repeating: "x", count: place), String(repeating: "y", count: length - place))
                    return JSONDocument(Array("[\"\(padding.0)\(part)\(padding.1)\"]".utf8))
                }
                #expect(text("\u{1F}") == nil && text("\n") == nil && text("\\x") == nil && text("\"") == nil)
                let escaped = try #require(text(#"\"\u00e9"#))
                let value = try #require(escaped.root.elements?.first)
                #expect(escaped.text(value)?.contains("x\"éy") == (place > 0))
            }
        }
    }

    @Test func `Copies values as they were spelt, without spaces, members by name`() throws {
        let text = #" { "b" : [ 1.50 , 1e2, "\u00e9\/ x" ] , "a" : { "z" : null , "y" : true } } "#
        let document = try #require(JSONDocument(Array(text.utf8)))
        #expect(
            String(decoding: document.compact(document.root), as: UTF8.self)
                == #"{"a":{"y":true,"z":null},"b":[1.50,1e2,"\u00e9\/ x"]}"#)
    }

    @Test func `A member is left out however its name is spelt, at any depth`() throws {
        let text = #"{"a":[{"secret":1,"s\u0065cret":2,"\u0073ecret":{"b":3},"b":4}],"secret":5,"secret":6}"#
        let document = try #require(JSONDocument(Array(text.utf8)))
        let included = document.compact(document.root) { member, _ in member.name != "secret" }
        #expect(String(decoding: included, as: UTF8.self) == #"{"a":[{"b":4}]}"#)
    }

    @Test func `Whether a member is retained may depend on whose it is`() throws {
        let document = try #require(JSONDocument(Array(#"{"home":{"city":1,"country":2},"city":3}"#.utf8)))
        let included = document.compact(document.root) { member, parent in parent != "home" || member.name == "country"
        }
        #expect(String(decoding: included, as: UTF8.self) == #"{"city":3,"home":{"country":2}}"#)
    }

    @Test func `Of several members of a name the last one is taken, and texts lose their escapes`() throws {
        let document = try #require(JSONDocument(Array(#"{"a":"1","a":"\ud83d\ude00\n"}"#.utf8)))
        #expect(document.root["a"].flatMap(document.text) == "😀\n")
        #expect(document.root["b"] == nil)
        #expect(document.root["a"]?["b"] == nil)
    }
}
