// SPDX-License-Identifier: Apache-2.0

import Issues
import Model

/// A citation for machines: amounts are exact decimals as text; what is unknown is left out.
struct CitationJSON: Encodable {
    struct Value: Encodable {
        let value: String?
        let currency: String?
        let rows: Int
        let seal: Int64
        let asOf: String
    }

    struct Issue: Encodable {
        let name: String
        let isExport: Bool
        let businessDate: String
        let definitionsVersion: Int
        let file: String
        let fileSha256: String
        let manifestSha256: String
    }

    struct Ledger: Encodable {
        let entries: Int
        let sha256: String
        let sum: String?
    }

    struct Movement: Encodable {
        let cause: String
        let amount: String?
        let transactions: Int
        let largest: String?
        let largestAmount: String?
    }

    let figure: String
    let issued: Value
    let today: Value?
    let difference: String?
    let movements: [Movement]
    let formula: [String: String]
    let rowsSha256: String
    let ledger: Ledger?
    let issue: Issue

    init(_ citation: Citation) {
        let kind = citation.issued
        func text(_ micros: Int64) -> String? {
            FigureAmount(micros: micros, isCount: kind.isCount, currency: kind.currency).text
        }
        figure = citation.name.description
        issued = Value(
            value: citation.issued.text, currency: citation.issued.currency, rows: citation.rows.count,
            seal: citation.issue.seal, asOf: citation.issue.asOf)
        today = citation.today.map {
            Value(
                value: $0.amount.text, currency: $0.amount.currency, rows: $0.rows, seal: $0.seal,
                asOf: $0.asOf.iso8601)
        }
        difference = citation.difference.flatMap(text)
        movements = citation.movements.map {
            Movement(
                cause: $0.cause.rawValue, amount: text($0.micros), transactions: $0.count, largest: $0.largest,
                largestAmount: $0.largest == nil ? nil : text($0.largestMicros))
        }
        formula = Dictionary(citation.formulas.map { ($0.column, $0.definition) }) { first, _ in first }
        rowsSha256 = citation.rows.sha256
        ledger = citation.ledger.map {
            Ledger(
                entries: $0.entries.count, sha256: $0.entries.sha256,
                sum: $0.micros.flatMap { FigureAmount(micros: $0, isCount: false, currency: nil).text })
        }
        issue = Issue(
            name: citation.issue.name, isExport: citation.issue.isExport,
            businessDate: citation.issue.businessDate,
            definitionsVersion: citation.issue.definitionsVersion, file: citation.issue.file,
            fileSha256: citation.issue.fileSHA256, manifestSha256: citation.issue.manifestSHA256)
    }
}
