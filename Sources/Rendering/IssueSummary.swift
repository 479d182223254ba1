// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Foundations
import Model

/// `summary.json`: what stands at the head of the page, in its words, and the figures of the last days behind it: for messages
/// about the issue, and for whoever watches figures.
///
/// Amounts are micros of `currency`; what is left out is unknown.
package struct IssueSummary: Codable, Sendable, Hashable {
    package static let fileName = "summary.json"
    /// Days that it holds at most: a month, and the quarter of a year before that it is compared with.
    package static let dayCount = 120

    /// A headline figure as the page shows it.
    package struct Figure: Codable, Sendable, Hashable {
        package let id: String
        package let label: String
        /// With its currency, where it is an amount.
        package let text: String
        /// What it is made of; nil where there is nothing to say.
        package let detail: String?
        package let changes: [String]

        package init(id: String, label: String, text: String, detail: String? = nil, changes: [String]) {
            (self.id, self.label, self.text) = (id, label, text)
            (self.detail, self.changes) = (detail, changes)
        }
    }

    /// How fresh an app's data is, and how many of its subscribers have no price.
    package struct App: Codable, Sendable, Hashable {
        package let app: String
        /// What it is called for people; nil: its id.
        package let title: String?
        /// ISO 8601; nil where it was never read.
        package let lastCheckedAt: String?
        package let missingPrices: Int64

        /// Of messages.
        package var name: String { AppName(app, title: title).description }

        package init(app: String, title: String? = nil, lastCheckedAt: String?, missingPrices: Int64) {
            (self.app, self.title) = (app, title)
            (self.lastCheckedAt, self.missingPrices) = (lastCheckedAt, missingPrices)
        }
    }

    /// A day that the stores were asked on.
    package struct Day: Codable, Sendable, Hashable {
        package let date: String
        package let netMicros: Int64?
        package let refundedMicros: Int64?
        package let refunds: Int64
        /// At the end of the day.
        package let mrrMicros: Int64?
        /// Lineages that churned, by reason.
        package let churned: [String: Int64]

        package init(
            date: String, netMicros: Int64?, refundedMicros: Int64?, refunds: Int64, mrrMicros: Int64?,
            churned: [String: Int64]
        ) {
            (self.date, self.netMicros, self.refundedMicros) = (date, netMicros, refundedMicros)
            (self.refunds, self.mrrMicros, self.churned) = (refunds, mrrMicros, churned)
        }
    }

    package let businessDate: String
    package let lastDate: String
    package let seal: Int64
    package let asOf: String
    /// Of its texts.
    package let language: String
    package let currency: String
    /// No check found a difference.
    package let reconciled: Bool
    package let verdict: String
    /// What is missing, a sentence each.
    package let warnings: [String]
    package let figures: [Figure]
    /// Rows of the report of changes: past figures that moved since the last issue.
    package let movedFigures: Int
    package let apps: [App]
    package let days: [Day]

    package init(
        businessDate: String, lastDate: String, seal: Int64, asOf: String, language: String, currency: String,
        reconciled: Bool, verdict: String, warnings: [String], figures: [Figure], movedFigures: Int, apps: [App],
        days: [Day]
    ) {
        (self.businessDate, self.lastDate, self.seal, self.asOf) = (businessDate, lastDate, seal, asOf)
        (self.language, self.currency, self.reconciled) = (language, currency, reconciled)
        (self.verdict, self.warnings, self.figures) = (verdict, warnings, figures)
        (self.movedFigures, self.apps, self.days) = (movedFigures, apps, days)
    }

    package init(json: Data) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(IssueSummary.self, from: json)
    }

    /// Keys sorted, so that the same summary is the same bytes.
    package func json() throws -> [UInt8] {
        try JSONText.encode(self, isIndented: true, names: .convertToSnakeCase) + [UInt8(ascii: "\n")]
    }
}
