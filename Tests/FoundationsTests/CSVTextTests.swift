// SPDX-License-Identifier: Apache-2.0

import Foundations
import Testing

@Suite struct CSVTextTests {
    @Test(arguments: [
        ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("two\nlines", "\"two\nlines\""),
        ("cr\rlf", "\"cr\rlf\""), ("", "\"\""), (" space ", " space "), ("日本,語", "\"日本,語\""),
    ])
    func `CSV quotes what it must`(value: String, field: String) {
        #expect(CSVText.field(value, isText: true) == field)
    }

    @Test(arguments: [
        ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@sum", "'@sum"), ("\tx", "'\tx"), ("\rx", "\"'\rx\""),
        ("=a,b", "\"'=a,b\""), ("a=b", "a=b"), ("=\u{301}x", "'=\u{301}x"),
        // Full-width: ＝ ＋ － ＠.
        ("\u{FF1D}1+1", "'\u{FF1D}1+1"), ("\u{FF0B}1", "'\u{FF0B}1"), ("\u{FF0D}1", "'\u{FF0D}1"),
        ("\u{FF20}sum", "'\u{FF20}sum"), ("\nx", "\"'\nx\""), ("日\u{FF1D}本", "日\u{FF1D}本"),
    ])
    func `a text never runs as a formula`(value: String, field: String) {
        #expect(CSVText.field(value, isText: true) == field)
    }

    @Test func `numbers retain their sign, and NULL is empty`() {
        #expect(CSVText.field("-9.990000", isText: false) == "-9.990000")
        #expect(CSVText.field(nil, isText: true) == "")
        #expect(CSVText.field(nil, isText: false) == "")
    }
}
