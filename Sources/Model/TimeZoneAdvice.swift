// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Which zone a person may have meant by a name that is none.
package enum TimeZoneAdvice {
    /// A zone for each offset that people write, the most usual one.
    private static let byOffset = [
        "-10": "Pacific/Honolulu", "-9": "America/Anchorage", "-8": "America/Los_Angeles", "-7": "America/Denver",
        "-6": "America/Chicago", "-5": "America/New_York", "-4": "America/Halifax", "-3": "America/Sao_Paulo",
        "0": "UTC",
        "1": "Europe/Berlin", "2": "Europe/Athens", "3": "Europe/Istanbul", "4": "Asia/Dubai", "5": "Asia/Karachi",
        "5:30": "Asia/Kolkata", "6": "Asia/Dhaka", "7": "Asia/Bangkok", "8": "Asia/Shanghai", "9": "Asia/Tokyo",
        "9:30": "Australia/Adelaide", "10": "Australia/Sydney", "12": "Pacific/Auckland",
    ]
    private static let byAbbreviation = [
        "JST": "Asia/Tokyo", "PST": "America/Los_Angeles", "PDT": "America/Los_Angeles", "PT": "America/Los_Angeles",
        "EST": "America/New_York", "EDT": "America/New_York", "ET": "America/New_York", "CST": "America/Chicago",
        "MST": "America/Denver", "CET": "Europe/Berlin", "CEST": "Europe/Berlin", "EET": "Europe/Athens",
        "BST": "Europe/London", "IST": "Asia/Kolkata", "KST": "Asia/Seoul", "GMT": "UTC", "Z": "UTC",
    ]

    /// Nil where nothing is near.
    package static func zone(for name: String) -> String? {
        byAbbreviation[name.uppercased()] ?? offset(in: name).flatMap { byOffset[$0] } ?? city(name)
    }

    /// The offset of `GMT+9`, `UTC+0900` or `GMT+09:00`, as hours and, where there are any, minutes.
    private static func offset(in name: String) -> String? {
        let pattern = /(?:GMT|UTC)?\s*([+-])0?([0-9]{1,2})(?::?([0-9]{2}))?/.ignoresCase()
        guard let found = name.wholeMatch(of: pattern) else { return nil }
        let minutes = found.3.flatMap { $0 == "00" ? nil : ":\($0)" } ?? ""
        return (found.1 == "-" && found.2 != "0" ? "-" : "") + found.2 + minutes
    }

    /// The zone of that city, or the zone whose name is nearest.
    private static func city(_ name: String) -> String? {
        let zones = TimeZone.knownTimeZoneIdentifiers
        let city = name.replacing(" ", with: "_").lowercased()
        return zones.first { $0.lowercased().hasSuffix("/" + city) }
            ?? (name.contains("/") ? Suggestion.nearest(to: name, among: zones) : nil)
    }
}
