// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model

/// The fields of one imported line, read one by one; what is wrong with one is said in a few words.
struct ImportFields {
    /// Currencies that the system's list may be too old to know.
    private static let recentCurrencies: Set<String> = ["XCG", "ZWG"]
    /// Codes of ISO 4217 for metals, units of account, tests and no currency at all.
    private static let noMoney: Set<String> = [
        "XAG", "XAU", "XBA", "XBB", "XBC", "XBD", "XDR", "XPD", "XPT", "XSU", "XTS", "XUA", "XXX",
    ]

    private let fields: [String: String]

    /// Refuses columns that the file's kind does not know.
    init(_ fields: [String: String], columns: [String]) throws(BadLine.Reason) {
        if let unknown = fields.keys.filter({ !columns.contains($0) }).min() {
            throw "unknown column \(BadLine.Reason(quoting: unknown))"
        }
        self.fields = fields
    }

    /// A text without control characters; nil where there is none.
    func optional(_ name: String) throws(BadLine.Reason) -> String? {
        guard let text = fields[name].map(StoreID.trimmed), !text.isEmpty else { return nil }
        guard PlainText.isPlain(text) else {
            throw "bad \(BadLine.Reason(name)): it holds control characters or is too long"
        }
        return text
    }

    func required(_ name: String) throws(BadLine.Reason) -> String {
        guard let text = try optional(name) else { throw "missing \(BadLine.Reason(name))" }
        return text
    }

    /// One of the configured apps.
    func app(_ apps: [String: StoreKind]) throws(BadLine.Reason) -> String {
        try Self.known(try required("app_id"), apps)
    }

    func optionalApp(_ apps: [String: StoreKind]) throws(BadLine.Reason) -> String? {
        guard let app = try optional("app_id") else { return nil }
        return try Self.known(app, apps)
    }

    func word(_ name: String, among words: [String]) throws(BadLine.Reason) -> String {
        guard let word = try optionalWord(name, among: words) else { throw "missing \(BadLine.Reason(name))" }
        return word
    }

    func optionalWord(_ name: String, among words: [String]) throws(BadLine.Reason) -> String? {
        guard let text = try optional(name) else { return nil }
        guard words.contains(text) else {
            let choice = BadLine.Reason(words.joined(separator: ", "))
            throw "bad \(BadLine.Reason(name)) \(BadLine.Reason(quoting: text)): one of \(choice)"
        }
        return text
    }

    /// Google Play's, of an app of its; nil: any.
    func optionalBasePlan(of app: String, _ apps: [String: StoreKind]) throws(BadLine.Reason) -> String? {
        guard let plan = try optional("base_plan_id") else { return nil }
        guard apps[app] == .googlePlay else {
            throw
                "bad base_plan_id \(BadLine.Reason(quoting: plan)): base plans are Google Play's, and this app is not there"
        }
        return plan
    }

    /// A day of the calendar.
    func optionalDay(_ name: String) throws(BadLine.Reason) -> String? {
        guard let text = try optional(name) else { return nil }
        guard let day = BusinessDate(text) else {
            throw "bad date \(BadLine.Reason(quoting: text)) in \(BadLine.Reason(name)): write 2026-03-01"
        }
        return day.description
    }

    /// An ISO 8601 duration of years, months, weeks and days, each from 1.
    func optionalDuration(_ name: String) throws(BadLine.Reason) -> String? {
        guard let text = try optional(name) else { return nil }
        guard Self.isDuration(text) else {
            throw
                "bad \(BadLine.Reason(name)) \(BadLine.Reason(quoting: text)): an ISO 8601 duration such as P1M, P1W or P1Y"
        }
        return Self.shortest(text)
    }

    /// The same of a length that sales can have: whole months, or whole days.
    func optionalLength(_ name: String) throws(BadLine.Reason) -> String? {
        guard let text = try optionalDuration(name) else { return nil }
        let parts = Self.parts(of: text) ?? [:]
        guard (parts["Y"] ?? parts["M"]) == nil || (parts["W"] ?? parts["D"]) == nil else {
            throw "bad \(BadLine.Reason(name)) \(BadLine.Reason(quoting: text)): whole months or whole days, not both"
        }
        return text
    }

    private static func isDuration(_ text: String) -> Bool { parts(of: text) != nil }

    /// `P` and then years, months, weeks and days in this order, each from 1; nil for any other text.
    private static func parts(of text: String) -> [String: Int]? {
        guard text.hasPrefix("P"), text.utf8.count > 1 else { return nil }
        var rest = text.dropFirst()
        var parts: [String: Int] = [:]
        for (unit, digits) in [("Y", 3), ("M", 3), ("W", 3), ("D", 4)] {
            let number = rest.prefix { $0.isASCII && $0.isNumber }
            guard rest[number.endIndex...].hasPrefix(unit) else { continue }
            guard (1...digits).contains(number.count), number.first != "0" else { return nil }
            parts[unit] = Int(number)
            rest = rest[number.endIndex...].dropFirst()
        }
        return rest.isEmpty ? parts : nil
    }

    /// One text for one length: P12M is P1Y, P7D is P1W.
    ///
    /// What mixes months and days stays.
    private static func shortest(_ text: String) -> String {
        let parts = parts(of: text) ?? [:]
        let (months, days) = ((parts["Y"] ?? 0) * 12 + (parts["M"] ?? 0), (parts["W"] ?? 0) * 7 + (parts["D"] ?? 0))
        switch (months, days) {
        case (1..., 0): return months.isMultiple(of: 12) ? "P\(months / 12)Y" : "P\(months)M"
        case (0, 1...): return days.isMultiple(of: 7) ? "P\(days / 7)W" : "P\(days)D"
        default: return text
        }
    }

    /// ISO 3166-1 alpha-2, in capitals.
    func optionalCountry() throws(BadLine.Reason) -> String? {
        guard let text = try optional("country") else { return nil }
        guard let code = Country.code(text) else {
            throw "bad country \(BadLine.Reason(quoting: text)): \(BadLine.Reason(Country.fault(of: text)))"
        }
        return code
    }

    /// ISO 4217; one that is not issued is refused here, where a person reads it.
    func currency() throws(BadLine.Reason) -> String {
        let text = try required("currency")
        guard Money.isCurrencyCode(text) else {
            throw "bad currency \(BadLine.Reason(quoting: text)): three capital letters (ISO 4217)"
        }
        guard Locale.Currency(text).isISOCurrency || Self.recentCurrencies.contains(text) else {
            throw "unknown currency \(BadLine.Reason(quoting: text)): it is none of ISO 4217"
        }
        guard !Self.noMoney.contains(text) else {
            throw "bad currency \(BadLine.Reason(quoting: text)): nothing is charged in it"
        }
        return text
    }

    /// A decimal of zero or more, as it is written: exact, whatever its places.
    func decimal(_ name: String, places: Int, example: String) throws(BadLine.Reason) -> String {
        let text = try required(name)
        guard let number = ImportDecimal(text), number.places <= places else {
            throw
                "bad \(BadLine.Reason(name)) \(BadLine.Reason(quoting: text)): write a number such as \(BadLine.Reason(example))"
        }
        return number.text
    }

    /// From 0 to 1.
    func share(_ name: String, example: String) throws(BadLine.Reason) -> String {
        let text = try decimal(name, places: 6, example: example)
        guard let micros = ImportDecimal(text)?.micros, micros <= 1_000_000 else {
            let advice: BadLine.Reason = "a share from 0 to 1, such as \(BadLine.Reason(example))"
            throw "bad \(BadLine.Reason(name)) \(BadLine.Reason(quoting: text)): \(advice)"
        }
        return text
    }

    private static func known(_ app: String, _ apps: [String: StoreKind]) throws(BadLine.Reason) -> String {
        guard apps[app] != nil else { throw "unknown app \(BadLine.Reason(quoting: app))" }
        return app
    }
}
