// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reports

/// How copies of the CSV files are put down for Excel.
@Suite struct CSVProfileTests {
    private static let columns = [
        ReportColumn(name: "product_id", kind: .text, definition: ""),
        ReportColumn(name: "day", kind: .date, definition: ""),
        ReportColumn(name: "rows", kind: .count, definition: ""),
        ReportColumn(name: "net", kind: .decimal, definition: ""),
    ]

    private static func lines(_ rows: [[String?]], _ profile: CSVProfile) -> String {
        var bytes = profile.opening
        CSVText.append(header: columns, as: profile, to: &bytes)
        for row in rows { CSVText.append(row, columns: columns, as: profile, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("en", ",."), ("ja", ",."), ("de", ";,"), ("fr", ";,"), ("sv", ";,"), ("pt-BR", ";,"), ("de_AT", ";,"),
        ("de-CH", ",."), ("es-MX", ",."), ("en-ZA", ";,"), ("en-IE", ",."),
    ])
    func `cells end with a semicolon where the decimal sign is a comma`(language: String, signs: String) throws {
        let profile = try #require(CSVProfile(excelFor: language))
        #expect([profile.delimiter, profile.decimalSign] == Array(signs.utf8))
        #expect(profile.hasByteOrderMark && profile.lineEnd == "\r\n")
    }

    @Test(arguments: ["", "xx", "deutsch", "de-", "de-AT-1996", "german", "..", "de;fr"])
    func `a language that is none has no profile`(language: String) {
        #expect(CSVProfile(excelFor: language) == nil)
    }

    @Test func `amounts bear the decimal sign of the language; texts, days and counts stay`() throws {
        let rows: [[String?]] = [
            ["v1.2", "2026-01-05", "-3", "-9.990000"], [nil, nil, nil, nil], ["a,b;c", nil, "0", "1"],
        ]
        #expect(
            Self.lines(rows, try #require(CSVProfile(excelFor: "de"))) == """
                \u{FEFF}product_id;day;rows;net\r
                v1.2;2026-01-05;-3;-9,990000\r
                ;;;\r
                "a,b;c";;0;1\r\n
                """)
        #expect(
            Self.lines(rows, try #require(CSVProfile(excelFor: "ja"))) == """
                \u{FEFF}product_id,day,rows,net\r
                v1.2,2026-01-05,-3,-9.990000\r
                ,,,\r
                "a,b;c",,0,1\r\n
                """)
    }

    @Test(arguments: ["=1+1", "+1", "-1", "@sum(a1)", "\t=1", "\r=1"])
    func `no text of a copy is run`(text: String) throws {
        for language in ["en", "de"] {
            let profile = try #require(CSVProfile(excelFor: language))
            let field = CSVText.field(text, isText: true, as: profile)
            #expect(field.drop { $0 == "\"" }.first == "'")
        }
    }

    @Test func `what is issued bears no mark`() {
        #expect(
            Self.lines([["a;b", nil, "1", "-2.5"]], .issued) == "product_id,day,rows,net\na;b,,1,-2.5\n")
    }
}
