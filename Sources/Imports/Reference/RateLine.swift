// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog

/// One exchange rate of `import fx`: units of the currency for one of the base.
struct RateLine: ReferenceLine {
    static let columns = ["date", "currency", "rate"]
    static let insertion = SQL.Import.addFxRates
    /// What the European Central Bank writes where it quotes nothing.
    private static let unquoted = "N/A"

    /// The source of the European Central Bank's rates.
    static let centralBank = "ecb"
    /// A file of that bank with so many currencies is whole: what it does not name is quoted no more.
    private static let wholeFile = 20

    let source: String
    let base: String
    let currency: String
    let date: String
    /// Nil: not quoted on that day.
    let rate: String?

    static func read(
        _ fields: [String: String], for setting: ReferenceSetting
    ) throws(BadLine.Reason) -> [Self] {
        if setting.isByColumn { return try readColumns(fields, setting) }
        let line = try ImportFields(fields, columns: columns)
        guard let date = try line.optionalDay("date") else { throw "missing date" }
        let currency = try line.currency()
        guard currency != setting.base else { throw "bad currency `\(BadLine.Reason(currency))`: it is the base" }
        return [try rate(try line.required("rate"), of: currency, on: date, setting)]
    }

    static func refusal(of header: [String]?, for setting: ReferenceSetting) -> BadLine.Reason? {
        guard setting.isByColumn else {
            if setting.base.isEmpty { return "its rates are for one of which currency? Give --base" }
            guard let header, header.contains(where: { !columns.contains($0) }) else { return nil }
            return "the header must name columns among date, currency, rate, or be the European Central Bank's"
        }
        let currencies = (header ?? []).dropFirst().filter { !$0.isEmpty }
        guard !currencies.isEmpty, currencies.allSatisfy(Money.isCurrencyCode) else {
            return "the header is not that of the European Central Bank's file (Date,USD,JPY,…)"
        }
        return setting.base == "EUR" ? nil : "the base of the European Central Bank's file is EUR"
    }

    static func conclusion(of rows: [Self]) -> (statement: Statement, values: [PostgresValue])? {
        let currencies = Set(rows.map(\.currency))
        guard let first = rows.first, first.source == centralBank, currencies.count >= wholeFile else { return nil }
        let days = Set(rows.map(\.date)).sorted()
        return (
            SQL.Import.endLeftOutRates,
            [.text(first.source), .text(first.base), .textArray(currencies.sorted()), .textArray(days)]
        )
    }

    var key: [String] { [currency, date] }
    var content: String { rate ?? Self.unquoted }
    var values: [String?] { [source, base, currency, date, rate] }

    /// The ECB's line: a date, and a rate below each currency's name.
    private static func readColumns(
        _ fields: [String: String], _ setting: ReferenceSetting
    ) throws(BadLine.Reason) -> [Self] {
        guard let text = fields["Date"] else { throw "missing Date" }
        guard let date = BusinessDate(text)?.description else {
            throw "bad date \(BadLine.Reason(quoting: text)) in Date: write 2026-03-01"
        }
        var lines: [Self] = []
        for (currency, text) in fields.sorted(by: { $0.key < $1.key }) where currency != "Date" {
            lines.append(try rate(text, of: currency, on: date, setting))
        }
        return lines
    }

    private static func rate(
        _ text: String, of currency: String, on date: String, _ setting: ReferenceSetting
    ) throws(BadLine.Reason) -> Self {
        guard text != unquoted else {
            return RateLine(source: setting.source, base: setting.base, currency: currency, date: date, rate: nil)
        }
        guard let number = ImportDecimal(text), !number.isZero else {
            throw
                "bad rate \(BadLine.Reason(quoting: text)) for \(BadLine.Reason(currency)): write a number such as 1.0834"
        }
        return RateLine(
            source: setting.source, base: setting.base, currency: currency, date: date, rate: number.text)
    }
}
