// SPDX-License-Identifier: Apache-2.0

import Model

/// What the page says first: whether the books agree and whether anything is missing, and what mends it.
package struct PageVerdict {
    /// Something that an app's figures lack.
    package struct Missing: Sendable {
        package enum Kind: String, Sendable {
            case price, rate
        }

        let appID: String
        let kind: Kind
        let number: Int64

        package init(appID: String, kind: Kind, number: Int64) {
            (self.appID, self.kind, self.number) = (appID, kind, number)
        }
    }

    enum Rank: String {
        case good, incomplete, bad
    }

    let checks: [CheckOutcome]
    let coverage: [Coverage]
    let missing: [Missing]
    let businessDate: BusinessDate
    let texts: PageTexts

    var rank: Rank {
        if checks.contains(where: { !$0.passed }) { return .bad }
        return sentences.isEmpty ? .good : .incomplete
    }

    var title: String {
        switch rank {
        case .good: texts["agreesComplete"]
        case .incomplete: texts["agreesButIncomplete"]
        case .bad:
            texts["notReconciled", "checks", checks.filter { !$0.passed }.map(\.title).joined(separator: ", ")]
        }
    }

    /// What is missing, a sentence each.
    var sentences: [String] {
        coverage.flatMap(sentences) + missing.filter { $0.kind == .price }.map(sentence)
            + missing.filter { $0.kind == .rate }.map(sentence)
    }

    /// What every total leaves out, a sentence each.
    var leftOut: [String] {
        coverage.filter(\.hasOwnBilling).map { texts["ownBilling", "app", texts.app($0.appID)] }
            + coverage.compactMap { app in
                app.retiredOn.map { texts["retiredApp", "app", texts.app(app.appID), "day", $0] }
            }
    }

    private func sentences(_ coverage: Coverage) -> [String] {
        let known = coverage.lastCheckedAt.map { texts["standAsOf", "instant", $0.iso8601] } ?? texts["neverRead"]
        let late: String? =
            switch coverage.lateness(on: businessDate) {
            case .stopped(let reason):
                texts["stoppedApp", "app", texts.app(coverage.appID), "known", known] + (reason.map { ": \($0)" } ?? "")
            case .late(let since): texts["lateApp", "app", texts.app(coverage.appID), "since", since, "known", known]
            case nil: nil
            }
        guard coverage.unread > 0 else { return [late].compactMap(\.self) }
        let name = coverage.unread == 1 ? "unreadOne" : "unreadMany"
        let unread = texts[name, "app", texts.app(coverage.appID), "count", AmountText.count(coverage.unread)]
        return [late, unread].compactMap(\.self)
    }

    private func sentence(_ missing: Missing) -> String {
        texts[
            missing.kind == .price ? "missingPrices" : "missingRates", "app", texts.app(missing.appID), "count",
            AmountText.count(missing.number)]
    }
}
