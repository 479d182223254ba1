// SPDX-License-Identifier: Apache-2.0

import Foundations
import Testing

@testable import Stores

@Suite struct FieldsTests {
    private struct Named: JSONReadable, Equatable {
        struct Unnamed: Error {}
        let name: String

        init(_ fields: Fields) throws {
            guard let name = fields.text("name") else { throw Unnamed() }
            self.name = name
        }

        init(name: String) { self.name = name }
    }

    private static func fields(_ text: String) throws -> Fields {
        let document = try #require(JSONDocument(Array(text.utf8)))
        return try #require(Fields(document.root, of: document))
    }

    @Test(arguments: [
        (#""7""#, "7"), ("7", "7"), ("-7", "-7"), ("7.0", "7"), ("7.5", nil), ("1e3", "1000"),
        (#""""#, nil), ("null", nil), ("true", nil), ("[]", nil), (#"{"a":1}"#, nil), ("99999999999999999999", nil),
        (#""\u00e9\n""#, "é\n"),
    ])
    func `a text is one that is not empty, or a whole number`(value: String, text: String?) throws {
        #expect(try Self.fields(#"{"a":\#(value)}"#).text("a") == text)
    }

    @Test(arguments: [
        ("7", 7), (#""7""#, 7), ("7.9", 7), ("-7.9", -7), ("1e3", 1_000), (#""7.9""#, nil), (#""x""#, nil),
        ("true", nil),
        ("null", nil), ("9223372036854775807", .max), ("9223372036854775808", nil), ("1e400", nil), ("[7]", nil),
    ])
    func `a whole number may be given as a text, and a number loses its fraction`(value: String, number: Int64?) throws
    {
        #expect(try Self.fields(#"{"a":\#(value)}"#).integer("a") == number)
    }

    @Test(arguments: [
        ("true", true), ("false", false), ("1", true), ("0", false), (#""1""#, true), (#""False""#, false), ("2", nil),
        (#""yes""#, nil), ("null", nil), ("{}", nil),
    ])
    func `a boolean may be a number or a text`(value: String, flag: Bool?) throws {
        #expect(try Self.fields(#"{"a":\#(value)}"#).flag("a") == flag)
    }

    @Test func `an empty object is there, null is not, and of two members the last one counts`() throws {
        let fields = try Self.fields(#"{"a":{},"b":null,"c":1,"c":2,"d":1,"d":null}"#)
        #expect(fields.has("a") && fields.object("a") != nil)
        #expect(!fields.has("b") && !fields.has("z") && fields.object("c") == nil)
        #expect(fields.integer("c") == 2 && fields.integer("d") == nil)
    }

    @Test func `an element that cannot be read does no harm to its neighbours, and a single one may replace a list`()
        throws
    {
        let fields = try Self.fields(
            #"{"many":[{"name":"a"},{},null,7,{"name":"b"}],"one":{"name":"c"},"none":null,"texts":["x",1,""]}"#)
        let many: [Named?]? = fields.list("many")
        #expect(many == [Named(name: "a"), nil, nil, nil, Named(name: "b")])
        #expect(fields.list("one") == [Named(name: "c")])
        #expect((fields.list("none") as [Named?]?) == nil)
        #expect(fields.texts("texts") == ["x", nil, ""])
        #expect(["texts", "one", "none", "absent"].map(fields.count) == [3, 1, 0, 0])
        #expect(fields.value("one") == Named(name: "c"))
        #expect((fields.value("many") as Named?) == nil)
    }

    @Test func `unknown names are reported unescaped`() throws {
        #expect(try Self.fields(#"{"a":1,"b":2,"\u0063":3}"#).names(outside: ["a"]) == ["b", "c"])
    }

    @Test(arguments: [#"{"name":"a"}"#, #"[{"name":"a"}]"#, "{}", "name", #"{"name":"a"} x"#])
    func `only an object of the type is read`(text: String) {
        #expect((Named(json: Array(text.utf8)) != nil) == (text == #"{"name":"a"}"#))
    }

    /// A store cuts texts off after so many UTF-16 units.
    @Test(arguments: [
        (#"ok \ud83d"#, "ok \u{FFFD}"), (#"\ude00!"#, "\u{FFFD}!"), (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"),
        (#"\ud83d\u00e9"#, "\u{FFFD}é"), (#"\ud83d\n"#, "\u{FFFD}\n"),
    ])
    func `Half a surrogate pair is U+FFFD, and noted once for the document`(written: String, read: String) throws {
        let document = try #require(JSONDocument(Array(#"{"a":"\#(written)","b":{"c":"x"}}"#.utf8)))
        let fields = try #require(Fields(document.root, of: document, isWhole: true))
        #expect(fields.text("a") == read)
        #expect(fields.names(outside: ["a", "b"]) == ["lone surrogate"])
        #expect(fields.object("b")?.names(outside: ["c"]) == [])
        let sound = try #require(JSONDocument(Array(#"{"a":"\ud83d\ude00"}"#.utf8)))
        #expect(Fields(sound.root, of: sound, isWhole: true)?.names(outside: ["a"]) == [])
    }
}
