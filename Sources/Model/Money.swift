// SPDX-License-Identifier: Apache-2.0

/// Money arithmetic in micros (millionths of a currency unit), in integers only.
package enum Money {
    /// Whether a text has the form of an ISO 4217 code: three capital letters.
    ///
    /// What has not is no currency to book under.
    package static func isCurrencyCode(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    /// Micros of an App Store price in milliunits (thousandths of the unit, for every currency); nil when out of range.
    package static func micros(milliunits: Int64) -> Int64? {
        let (value, overflow) = milliunits.multipliedReportingOverflow(by: 1_000)
        return overflow ? nil : value
    }

    /// Digits after the point in that currency (ISO 4217); 2 where it is not known.
    package static func minorDigits(of currency: String?) -> Int {
        guard let currency else { return 2 }
        if withoutMinorUnit.contains(currency) { return 0 }
        return withThousandths.contains(currency) ? 3 : 2
    }

    /// Micros of the smallest amount that is paid in that currency.
    static func minorUnit(of currency: String?) -> Int64 {
        (minorDigits(of: currency)..<6).reduce(1) { unit, _ in unit * 10 }
    }

    private static let withoutMinorUnit: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF",
        "XPF",
    ]
    private static let withThousandths: Set<String> = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]
}
