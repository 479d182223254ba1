// SPDX-License-Identifier: Apache-2.0

/// What the template of `report.html` names: texts ready to be read, in the order they are shown.
struct PageContent {
    struct Card {
        let label: String
        let figure: String
        let change: String
        let note: String
    }

    struct Headline {
        let currency: String
        let gross: String
        let grossChange: String
        let refunded: String
        let refundedChange: String
        let net: String
        let netChange: String
    }

    struct MoneyRow {
        let span: String
        let app: String
        let store: String
        let product: String
        let currency: String
        let charges: String
        let refunds: String
        let gross: String
        let refunded: String
        let net: String
    }

    struct ChurnRow {
        let app: String
        let store: String
        let product: String
        let opening: String
        let lost: String
        let rate: String
        let churned: String
        let reasons: [String]
        let lapsed: String
        let cameAndWent: String
    }

    struct CoverageRow {
        let app: String
        let store: String
        let lastChecked: String
        let lastRun: String
        let due: String
        let checked: String
        let unread: String
        let isLate: Bool
        let hasUnread: Bool
    }

    struct CheckRow {
        let title: String
        let verdict: String
        let isFailed: Bool
        let differences: [CheckOutcome.Difference]
    }

    struct Definition {
        let name: String
        let meaning: String
        let fields: [Field]
    }

    struct Field {
        let name: String
        let meaning: String
    }

    struct File {
        let name: String
        let rows: String
    }

    let businessDate: String
    let firstDate: String
    let lastDate: String
    let windowStart: String
    let asOf: String
    let timeZone: String
    let seal: String
    let run: String
    let version: String
    let isReconciled: Bool
    let failedChecks: String
    let warnings: [String]
    let cards: [Card]
    let headlines: [Headline]
    /// Everything in the reporting currency, and what is to be said of it.
    let converted: Headline?
    let conversionNotes: [String]
    let unconverted: String?
    let hasMoney: Bool
    /// What the totals leave out, also where they hold nothing.
    let ownBillingNotes: [String]
    let charts: [BarChart]
    let products: [MoneyRow]
    let days: [MoneyRow]
    let dayProducts: [MoneyRow]
    let monthTotals: [MoneyRow]
    let months: [MoneyRow]
    let churn: [ChurnRow]
    let hasChurn: Bool
    let coverage: [CoverageRow]
    let checks: [CheckRow]
    let definitions: [Definition]
    let files: [File]
}
