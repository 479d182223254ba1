// SPDX-License-Identifier: Apache-2.0

/// Days and months as numbers: of days since 1970-01-01, of months since the year 0.
enum PageSpan {
    /// Of `yyyy-mm-dd`; nil where it is none.
    static func day(_ text: some StringProtocol) -> Int? {
        guard let (year, month, day) = numbers(text), let day else { return nil }
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Of `yyyy-mm` or `yyyy-mm-dd`; nil where it is neither.
    static func month(_ text: some StringProtocol) -> Int? {
        numbers(text).map { $0.year * 12 + $0.month - 1 }
    }

    /// The first day of a month.
    static func firstDay(ofMonth month: Int) -> Int {
        day(text(ofMonth: month) + "-01") ?? 0
    }

    static func text(ofMonth month: Int) -> String {
        pad(month / 12, 4) + "-" + pad(month % 12 + 1, 2)
    }

    static func text(ofDay day: Int) -> String {
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return pad(year, 4) + "-" + pad(month, 2) + "-" + pad(dayOfYear - (153 * part + 2) / 5 + 1, 2)
    }

    private static func numbers(_ text: some StringProtocol) -> (year: Int, month: Int, day: Int?)? {
        let parts = text.split(separator: "-").map { Int($0) }
        guard (2...3).contains(parts.count), let year = parts[0], let month = parts[1], (1...12).contains(month) else {
            return nil
        }
        guard parts.count == 3 else { return (year, month, nil) }
        return parts[2].map { (year, month, $0) }
    }

    private static func pad(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
