// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How a CSV file is written: for programs, or so that a spreadsheet opens it with a double click.
package struct CSVProfile: Sendable, Hashable {
    /// What separates fields: one ASCII character, as the decimal sign.
    package let delimiter: UInt8
    /// What separates a number's whole part from its fraction.
    package let decimalSign: UInt8
    /// By it Excel recognizes a file in UTF-8.
    package let hasByteOrderMark: Bool
    /// What ends each line, the last one included.
    package let lineEnd: String

    /// RFC 4180 with LF line ends.
    package static let standard = CSVProfile(
        delimiter: UInt8(ascii: ","), decimalSign: UInt8(ascii: "."), hasByteOrderMark: false, lineEnd: "\n")

    /// For Excel where numbers are written with that decimal sign: where it is a comma, fields end with a semicolon.
    package static func excel(hasDecimalComma: Bool) -> CSVProfile {
        CSVProfile(
            delimiter: UInt8(ascii: hasDecimalComma ? ";" : ","),
            decimalSign: UInt8(ascii: hasDecimalComma ? "," : "."),
            hasByteOrderMark: true, lineEnd: "\r\n")
    }

    /// For Excel in a language, or as a region writes it: `en`, `ja`, `de`, `de-CH`.
    ///
    /// Nil for what is none.
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
    package var opening: [UInt8] { hasByteOrderMark ? ByteOrderMark.bytes : [] }
}
