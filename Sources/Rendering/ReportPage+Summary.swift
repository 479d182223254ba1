// SPDX-License-Identifier: Apache-2.0

import Model

/// The head of the page as values: the same figures and the same words.
extension ReportPage {
    private static let churnReasons = ["voluntary", "involuntary", "price", "product", "refund", "other"]

    package func summary() throws -> IssueSummary {
        let texts = try texts()
        let verdict = verdict(texts)
        let money = money
        let figures = try cards(texts).map { card in
            IssueSummary.Figure(
                id: card.id, label: card.label, text: card.unit.map { "\(card.figure) \($0)" } ?? card.figure,
                detail: card.detail, changes: card.changes)
        }
        return IssueSummary(
            businessDate: report.businessDate.description, lastDate: report.lastDate.description,
            seal: report.seal, asOf: report.asOf.iso8601, language: texts.language, currency: money.currency,
            reconciled: checks.allSatisfy(\.passed), verdict: verdict.title,
            warnings: verdict.sentences + verdict.leftOut, figures: figures,
            movedFigures: tables.first { $0.name == "changes" }?.rowCount ?? 0, apps: coverage.map(app),
            days: try days(in: money))
    }

    private func app(_ coverage: Coverage) -> IssueSummary.App {
        let missing = sources.missing.filter { $0.appID == coverage.appID && $0.kind == .price }
        return IssueSummary.App(
            app: coverage.appID, title: sources.titles[coverage.appID],
            lastCheckedAt: coverage.lastCheckedAt?.iso8601,
            missingPrices: missing.map(\.number).reduce(0, +))
    }

    /// What is older than the first night is what the stores still tell, survivors mostly: nothing to compare a week with.
    private func days(in money: PageMoney) throws(ReportError) -> [IssueSummary.Day] {
        guard let last = PageSpan.day(report.lastDate.description),
            let observed = sources.stamp.observedSince.flatMap({ PageSpan.day($0) })
        else { return [] }
        let first = max(
            last - IssueSummary.dayCount + 1, observed,
            report.firstDate.flatMap { PageSpan.day($0.description) } ?? .min)
        guard first <= last else { return [] }
        let revenue = try figures(of: "revenue", in: money, first...last)
        let mrr = try figures(of: "mrr_bridge", in: money, first...last)
        let churn = try figures(of: "churn", in: money, first...last)
        return (first...last).map { day in
            IssueSummary.Day(
                date: PageSpan.text(ofDay: day), netMicros: revenue(day, "net"),
                refundedMicros: revenue(day, "refunded"), refunds: revenue(day, "refunds") ?? 0,
                mrrMicros: mrr(day, "closing"),
                churned: Self.churnReasons.reduce(into: [:]) { counts, reason in
                    counts[reason] = churn(day, reason).flatMap { $0 > 0 ? $0 : nil }
                })
        }
    }

    /// A report's figures by day and column.
    ///
    /// A day without any row has nothing of it, which is known.
    private func figures(
        of report: String, in money: PageMoney, _ days: ClosedRange<Int>
    ) throws(ReportError) -> (_ day: Int, _ column: String) -> Int64? {
        guard let cube = tables.first(where: { $0.name == report })?.section.cube else { return { _, _ in nil } }
        let sums = try PageView(cube: cube, money: money).sums(.time, of: cube.days, in: days)
        let ofDays = Dictionary(sums.map { ($0.key.span, $0.value) }) { first, _ in first }
        return { day, column in
            guard let place = cube.columns.firstIndex(where: { $0.name == column }) else { return nil }
            guard let figures = ofDays[day] else { return 0 }
            return figures[place]
        }
    }
}
