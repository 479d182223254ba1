// SPDX-License-Identifier: Apache-2.0

extension BatchVerdict: CustomStringConvertible {
    /// So many findings are named; the rest is a number.
    private static let named = 12

    /// One line: `OK`, or `NOT OK: acme-android stopped (invalid_grant), 29 unread, no report for 6 January`.
    ///
    /// An app is named once, before the first thing that is said of it.
    package var description: String {
        guard !isOK else { return "OK" }
        var (phrases, app): ([String], String?) = ([], nil)
        for finding in findings.prefix(Self.named) {
            let name = finding.app == app ? nil : finding.app
            phrases.append([name, finding.description].compactMap(\.self).joined(separator: " "))
            app = finding.app
        }
        let more = findings.count - Self.named
        return "NOT OK: " + (phrases + (more > 0 ? ["and \(more) more"] : [])).joined(separator: ", ")
    }
}

extension BatchVerdict: Encodable {
    private enum CodingKeys: String, CodingKey {
        case isOK = "is_ok"
        case summary, findings
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(isOK, forKey: .isOK)
        try values.encode(description, forKey: .summary)
        try values.encode(findings, forKey: .findings)
    }
}

extension BatchFinding: CustomStringConvertible {
    /// So many dates are named, the newest.
    private static let namedDates = 3

    /// Without the app.
    package var description: String {
        switch self {
        case .stopped(_, let reason): "stopped (\(reason))"
        case .late(_, let reason): "finished late (\(reason))"
        case .stale(_, let hours?): "finished no night for \(hours) h"
        case .stale(_, nil): "has finished no night yet"
        case .unread(_, let count): "\(count) unread"
        case .deadLetters(_, 1): "1 new dead letter"
        case .deadLetters(_, let count): "\(count) new dead letters"
        case .missingReports(let dates): "no report for \(Self.names(of: dates))"
        case .notReconciled(let date): "the books do not agree (report of \(Self.day(date)))"
        case .interrupted(let runID, let job): "run \(runID) (\(job)) is interrupted"
        }
    }

    private static func names(of dates: [String]) -> String {
        let named = dates.suffix(namedDates).map(day).joined(separator: " and ")
        let earlier = dates.count - namedDates
        return earlier > 0 ? "\(named) and \(earlier) earlier" : named
    }

    /// `6 January`; the list below the verdict has the year.
    private static func day(_ date: String) -> String {
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November",
            "December",
        ]
        let parts = date.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, (1...12).contains(parts[1]) else { return date }
        return "\(parts[2]) \(months[parts[1] - 1])"
    }
}

extension BatchFinding: Encodable {
    private enum CodingKeys: String, CodingKey {
        case kind, text
        case app = "app_id"
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(kind, forKey: .kind)
        try values.encodeIfPresent(app, forKey: .app)
        try values.encode(description, forKey: .text)
    }
}
