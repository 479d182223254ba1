// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Imports
import Model

/// Imports of dated facts: what reports need beside the stores' answers.
extension Import {
    struct Products: ReferenceCommand {
        static let configuration = command(
            "The product catalogue, JSON Lines or CSV.",
            """
            Columns: app_id, product_id, and optionally period (ISO 8601, such as P1M), subscription_group, level (1 is \
            the highest of its group), valid_from (a date; empty: always).
            """)

        @OptionGroup var options: SharedOptions
        @OptionGroup var input: ImportInput

        func kind() -> ReferenceImport.Kind { .products }
    }

    struct Prices: ReferenceCommand {
        static let configuration = command(
            "The price list for sales whose price no store tells, JSON Lines or CSV.",
            """
            Columns: app_id, product_id, country (empty: any), currency, price, valid_from (a date; empty: always). A \
            country's own price goes before that of any country, and the newest that was valid on the day of the \
            purchase counts. Sales that waited for their price are booked at once.
            """)

        @OptionGroup var options: SharedOptions
        @OptionGroup var input: ImportInput

        func kind() -> ReferenceImport.Kind { .prices }
    }

    struct ExchangeRates: ReferenceCommand {
        static let configuration = command(
            "Exchange rates, JSON Lines or CSV, or the European Central Bank's historical CSV as it is.", named: "fx",
            """
            Columns: date, currency, rate (units of the currency for one of --base). The European Central Bank's file \
            has a column per currency; its base is EUR and needs no option. A rate that moves more than 20 % in a day \
            goes in, is flagged and said.
            """)

        @OptionGroup var options: SharedOptions
        @OptionGroup var input: ImportInput

        @Option(help: "The currency the rates are for, such as EUR; only the European Central Bank's file needs none.")
        var base: String?

        @Option(help: "Who published the rates: named in the reports.")
        var source = "import"

        func validate() throws {
            guard base?.wholeMatch(of: /[A-Z]{3}/) != nil || base == nil else {
                throw ValidationError("--base takes three capital letters (ISO 4217)")
            }
            guard source.wholeMatch(of: /[a-z0-9][a-z0-9_-]{0,39}/) != nil, source != "ecb" else {
                throw ValidationError("--source takes a short name in small letters, and not ecb")
            }
        }

        func kind() -> ReferenceImport.Kind { .fxRates(base: base, source: source) }
    }

    struct CommissionRules: ReferenceCommand {
        static let configuration = command(
            "What the stores keep of a sale, JSON Lines or CSV.",
            """
            Columns: rule (standard, after_one_year, small_business, billing), store, app_id, country, product_type \
            (auto_renewable, prepaid, one_time), rate (such as 0.15), valid_from, valid_to (the first day it holds no \
            more). What is left empty holds for any. The stores' published rates are there already.
            """)

        @OptionGroup var options: SharedOptions
        @OptionGroup var input: ImportInput

        func kind() -> ReferenceImport.Kind { .commissionRules }
    }

    struct TaxRates: ReferenceCommand {
        static let configuration = command(
            "Tax within prices by country, JSON Lines or CSV.",
            """
            Columns: country, rate (such as 0.19), is_inclusive (true where prices include it, else false), valid_from \
            (a date; empty: always).
            """)

        @OptionGroup var options: SharedOptions
        @OptionGroup var input: ImportInput

        func kind() -> ReferenceImport.Kind { .taxRates }
    }
}

/// An import of one kind of dated facts.
protocol ReferenceCommand: AsyncParsableCommand {
    var options: SharedOptions { get }
    var input: ImportInput { get }
    func kind() -> ReferenceImport.Kind
}

extension ReferenceCommand {
    static func command(_ abstract: String, named name: String? = nil, _ discussion: String) -> CommandConfiguration {
        CommandConfiguration(commandName: name, abstract: abstract, discussion: "\(discussion)\n\n\(JobEnding.help)")
    }

    func run() async throws {
        // Read before signals are trapped: who waits at a terminal's stdin can leave with Ctrl-C.
        let content = Result { () throws(UsageError) in try input.content() }
        let (kind, name) = (kind(), input.name)
        try await Job.perform(options) { context in
            let file = ImportFile(try content.get())
            if let missing = ReferenceImport.missing(for: file, as: kind) { throw UsageError("\(name): \(missing)") }
            let outcome = try await context.withMigratedSessions(1) { sessions in
                try await ReferenceImport(
                    sessions: sessions, logger: context.logger, leaseSeconds: context.configuration.leaseSeconds
                ).run(
                    file, as: kind,
                    apps: Dictionary(context.configuration.apps.map { ($0.id, $0.kind) }) { first, _ in first },
                    now: context.now,
                    businessDate: context.businessDate)
            }
            return Self.report(outcome, of: name, on: context.console)
        }
    }

    private static func report(
        _ outcome: ReferenceImport.Outcome, of name: String, on console: Console
    ) -> JobEnding {
        for line in outcome.bad + outcome.notes {
            console.complain("\(name):\(line.number): \(line.reason)", isPlain: true)
        }
        var parts = ["\(outcome.good) lines taken (\(outcome.new) new rows), \(outcome.bad.count) refused"]
        if outcome.priced > 0 { parts.append("\(outcome.priced) sales took their price from the list") }
        console.write(parts.joined(separator: "; "))
        if outcome.bad.isEmpty { return .done }
        return outcome.good > 0 ? .partial : .failed
    }
}
