// SPDX-License-Identifier: Apache-2.0

import Issues
import Model

/// A citation for people.
struct CitationText: CustomStringConvertible {
    let citation: Citation

    init(_ citation: Citation) { self.citation = citation }

    var description: String {
        let parts: [(String, [String])] = [
            ("\(citation.name)", [value("issued", citation.issued)] + today), ("Why it moved", bridge),
            ("What it is", formula), ("What it is made of", rows), ("Where it was issued", issue),
        ]
        return parts.filter { !$0.1.isEmpty }.map { title, lines in
            ([title.printable] + lines.map { "  " + $0.printable }).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    private func value(_ word: String, _ amount: FigureAmount) -> String {
        "\(word)  \(text(amount))"
    }

    private func text(_ amount: FigureAmount) -> String {
        guard let text = amount.text else { return "unknown" }
        return [text, amount.currency].compactMap(\.self).joined(separator: " ")
    }

    private func text(_ micros: Int64) -> String {
        let amount = FigureAmount(micros: micros, isCount: citation.issued.isCount, currency: citation.issued.currency)
        return (micros > 0 ? "+" : "") + text(amount)
    }

    private var today: [String] {
        guard let today = citation.today else {
            return [
                "today   cannot be compared: the report is about its own issue, or the reporting currency is another one"
            ]
        }
        let place = "as of seal \(today.seal), \(today.asOf.iso8601)"
        guard let difference = citation.difference, difference != 0 else {
            return [value("today ", today.amount) + "  (\(place)): it has not moved"]
        }
        return [value("today ", today.amount) + "  (\(place))", "moved   \(text(difference))"]
    }

    private var bridge: [String] {
        guard let difference = citation.difference, difference != 0 else { return [] }
        guard !citation.movements.isEmpty else {
            return ["not followed: the column is worked out of others; cite those"]
        }
        let largest = citation.movements.filter { $0.largest != nil }
            .max { $0.largestMicros.magnitude < $1.largestMicros.magnitude }
        let hint = largest?.largest.map { ["the largest: subledger explain \($0)"] } ?? []
        return TextTable(
            ["issued", text(citation.issued), ""],
            citation.movements.map { [Self.words($0.cause), text($0.micros), count($0)] }
                + [["today", citation.today.map { text($0.amount) } ?? "", ""]]
        ).lines + hint
    }

    private func count(_ movement: Movement) -> String {
        guard movement.count > 0 else { return "" }
        let largest = movement.largest.map { ", most \(text(movement.largestMicros)) by \($0)" } ?? ""
        return "\(Int64(movement.count).grouped)\(movement.count == 1 ? " transaction" : " transactions")\(largest)"
    }

    private static func words(_ cause: MovementCause) -> String {
        switch cause {
        case .refunds: "refunds learned since"
        case .transactions: "transactions learned since"
        case .prices: "prices learned or imported since"
        case .links: "links between purchases learned since"
        case .states: "what the store said of them since"
        case .catalogue: "catalogue imported since"
        case .rates: "exchange rates imported since"
        case .rules: "commission or tax rates imported since"
        case .definitions: "another version of the definitions"
        case .timeZone: "another time zone of the reports"
        case .rounding: "rounding of the parts"
        case .notFollowed: "not followed to transactions"
        case .unknown: "of no known cause"
        }
    }

    private var formula: [String] {
        let version = citation.issue.definitionsVersion
        let age = citation.hasOtherDefinitions ? ["by today's definitions; the issue has version \(version)"] : []
        return [citation.report] + citation.formulas.map { "\($0.column): \($0.definition)" } + age
    }

    private var rows: [String] {
        var lines = [
            "\(Int64(citation.rows.count).grouped) \(citation.rows.count == 1 ? "line" : "lines") of \(citation.issue.file), "
                + "SHA-256 \(citation.rows.sha256)"
        ]
        if let ledger = citation.ledger {
            lines.append(
                "\(Int64(ledger.entries.count).grouped) \(ledger.entries.count == 1 ? "entry" : "entries") of the ledger, "
                    + "SHA-256 \(ledger.entries.sha256)")
            if let micros = ledger.micros {
                let sum = FigureAmount(micros: micros, isCount: false, currency: citation.issued.currency)
                lines.append(micros == citation.issued.micros ? "they add up to it" : "they add up to \(text(sum))")
            }
        }
        return lines
    }

    private var issue: [String] {
        let issue = citation.issue
        return [
            "\(issue.isExport ? "export" : "issue") \(issue.name), seal \(issue.seal), as of \(issue.asOf), definitions version \(issue.definitionsVersion)",
            "\(issue.folder)/\(issue.file), as it was issued, SHA-256 \(issue.fileSHA256)",
            "its manifest, SHA-256 \(issue.manifestSHA256)"
                + (issue.isExport ? "; the database has no record of it" : ""),
        ]
    }
}
