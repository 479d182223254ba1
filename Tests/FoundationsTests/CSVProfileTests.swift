// SPDX-License-Identifier: Apache-2.0

import Foundations
import Testing

/// How CSV files are written for Excel.
@Suite struct CSVProfileTests {
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

    @Test(arguments: ["=1+1", "+1", "-1", "@sum(a1)", "\t=1", "\r=1"])
    func `no text of a copy is run`(text: String) throws {
        for language in ["en", "de"] {
            let profile = try #require(CSVProfile(excelFor: language))
            let field = CSVText.field(text, isText: true, as: profile)
            #expect(field.drop { $0 == "\"" }.first == "'")
        }
    }
}
