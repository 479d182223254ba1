// SPDX-License-Identifier: Apache-2.0

import Model
import Mustache

/// `report.html`: the figures for people, in one file that needs no network and runs no script.
struct ReportPage {
    static let fileName = "report.html"

    let request: ReportRequest
    let tables: [ReportTable]
    let checks: [CheckOutcome]
    let coverage: [Coverage]
    let figures: PageFigures

    /// The page as UTF-8; the template escapes every value.
    func html() throws(ReportError) -> [UInt8] {
        do {
            return [UInt8](try MustacheTemplate(string: ReportTemplate.text).render(content).utf8)
        } catch {
            throw ReportError(.definitions, "the template of report.html cannot be read: \(error)")
        }
    }

    private var content: PageContent {
        let money = PageMoney(figures: figures, days: request.lastDays(PageFigures.dayCount))
        let converted = PageConversion(days: figures.converted)
        return PageContent(
            businessDate: request.businessDate.description,
            firstDate: request.firstDate?.description ?? "the beginning", lastDate: request.lastDate.description,
            windowStart: money.days.first?.description ?? request.lastDate.description, asOf: request.asOf.iso8601,
            timeZone: request.timeZone, seal: String(request.seal), run: String(request.runID),
            version: String(ReportRequest.definitionsVersion), isReconciled: checks.allSatisfy(\.passed),
            failedChecks: checks.filter { !$0.passed }.map(\.title).joined(separator: ", "),
            warnings: coverage.flatMap { $0.warnings(on: request.businessDate) }, cards: cards,
            headlines: money.headlines, converted: converted.headline,
            conversionNotes: converted.notes, unconverted: converted.leftOut, hasMoney: !money.currencies.isEmpty,
            ownBillingNotes: coverage.compactMap(\.ownBillingNote), charts: money.charts,
            products: money.products, days: money.dayTotals, dayProducts: money.dayProducts,
            monthTotals: money.monthTotals, months: money.months,
            churn: figures.churn.map(PageContent.ChurnRow.init), hasChurn: !figures.churn.isEmpty,
            coverage: coverage.map { PageContent.CoverageRow($0, on: request.businessDate) },
            checks: checks.map(PageContent.CheckRow.init), definitions: definitions, files: files)
    }

    private var cards: [PageContent.Card] {
        guard let today = figures.subscribers.first, let before = figures.subscribers.last else { return [] }
        func card(_ label: String, _ path: KeyPath<PageFigures.Subscribers, Int64>, _ note: String) -> PageContent.Card
        {
            PageContent.Card(
                label: label, figure: AmountText.count(today[keyPath: path]),
                change: AmountText.change(today[keyPath: path] - before[keyPath: path]), note: note)
        }
        return [
            card("Active subscribers", \.active, "paying, at the end of the day; grace included"),
            card("Trials running", \.trials, "free periods, at the end of the day"),
            card("New paid", \.newPaid, "first paid period began on the day"),
            card("Churned", \.churned, "declared ended on the day"),
            card("At risk", \.atRisk, "in grace or billing retry, at the end of the day"),
        ]
    }

    private var definitions: [PageContent.Definition] {
        tables.map { table in
            PageContent.Definition(
                name: table.name, meaning: table.shape.definition,
                fields: table.shape.columns.map { PageContent.Field(name: $0.name, meaning: $0.definition) })
        }
    }

    private var files: [PageContent.File] {
        tables.map { PageContent.File(name: $0.fileName, rows: AmountText.count(Int64($0.rowCount))) }
    }
}

extension PageContent.ChurnRow {
    fileprivate init(_ churn: PageFigures.Churn) {
        self.init(
            app: churn.appID, store: StoreName.text(churn.store), product: churn.productID,
            opening: AmountText.count(churn.opening), lost: AmountText.count(churn.lost),
            rate: AmountText.share(churn.lost, of: churn.opening) ?? "–", churned: AmountText.count(churn.churned),
            reasons: churn.reasons.map(AmountText.count), lapsed: AmountText.count(churn.lapsed),
            cameAndWent: AmountText.count(churn.cameAndWent))
    }
}

extension PageContent.CoverageRow {
    fileprivate init(_ coverage: Coverage, on businessDate: BusinessDate) {
        self.init(
            app: coverage.appID, store: StoreName.text(coverage.store),
            lastChecked: coverage.lastCheckedAt?.iso8601 ?? "never",
            lastRun: "\(coverage.lastRunOutcome), for \(coverage.lastRunDate)", due: AmountText.count(coverage.due),
            checked: AmountText.count(coverage.checked), unread: AmountText.count(coverage.unread),
            isLate: coverage.lateness(on: businessDate) != nil, hasUnread: coverage.unread > 0)
    }
}

extension PageContent.CheckRow {
    fileprivate init(_ check: CheckOutcome) {
        let rows = AmountText.count(Int64(check.rowCount))
        self.init(
            title: check.title, verdict: check.passed ? "agrees" : "differs in \(rows)", isFailed: !check.passed,
            differences: check.differences)
    }
}

/// A store as people call it.
enum StoreName {
    static func text(_ store: String) -> String {
        switch StoreKind(rawValue: store) {
        case .appStore: "App Store"
        case .googlePlay: "Google Play"
        case nil: store
        }
    }
}
