// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How a CSV file is put down: as issues hold it, or as a spreadsheet opens it with a double click.
package struct CSVProfile: Sendable, Hashable {
    /// One ASCII character, as the others.
    package let delimiter: UInt8
    package let decimalSign: UInt8
    /// Tells Excel that the file is UTF-8.
    package let hasByteOrderMark: Bool
    package let lineEnd: String

    /// RFC 4180 with LF line ends.
    package static let issued = CSVProfile(
        delimiter: UInt8(ascii: ","), decimalSign: UInt8(ascii: "."), hasByteOrderMark: false, lineEnd: "\n")

    /// For Excel where numbers are written with that decimal sign: where it is a comma, cells end with a semicolon.
    package static func excel(hasDecimalComma: Bool) -> CSVProfile {
        CSVProfile(
            delimiter: UInt8(ascii: hasDecimalComma ? ";" : ","),
            decimalSign: UInt8(ascii: hasDecimalComma ? "," : "."),
            hasByteOrderMark: true, lineEnd: "\r\n")
    }

    /// For Excel in a language, or as a region writes it: `en`, `ja`, `de`, `de-CH`. Nil for what is none.
    package init?(excelFor language: String) {
        let locale = Locale(identifier: language)
        guard language.wholeMatch(of: /[A-Za-z]{2,3}(?:[-_][A-Za-z]{2})?/) != nil,
            locale.language.languageCode?.isISOLanguage == true
        else { return nil }
        self = .excel(hasDecimalComma: locale.decimalSeparator == ",")
    }

    private init(delimiter: UInt8, decimalSign: UInt8, hasByteOrderMark: Bool, lineEnd: String) {
        self.delimiter = delimiter
        self.decimalSign = decimalSign
        self.hasByteOrderMark = hasByteOrderMark
        self.lineEnd = lineEnd
    }

    /// What the file begins with.
    var opening: [UInt8] { hasByteOrderMark ? [0xEF, 0xBB, 0xBF] : [] }
}
