// SPDX-License-Identifier: Apache-2.0

import Foundations

/// A day as spreadsheets number it: 1 January 1970 is 25569.
///
/// They take 1900 for a leap year, so that no day before March 1900 has a number they agree on; none after 9999 has one.
struct SerialDay {
    static let ofUnixEpoch = 25_569
    /// Instants from 1901 to 9999, in seconds since 1970.
    static let seconds: Range<Int64> = -2_177_452_800..<253_402_300_800

    let number: Int

    /// From `yyyy-mm-dd`; nil for anything else.
    init?(iso text: String) {
        guard let date = CivilDate(iso: text), (1901...9999).contains(date.year) else { return nil }
        number = date.daysSinceUnixEpoch + Self.ofUnixEpoch
    }
}
