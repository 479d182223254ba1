// SPDX-License-Identifier: Apache-2.0

package import Model

/// Whether the batch is as it should be, and what is not.
///
/// Pure: what it knows is handed in, the present included.
package struct BatchVerdict: Sendable, Hashable {
    /// More unread than this share, in percent, and than this number are too many.
    private static let unreadPercent: Int64 = 1
    private static let unreadNumber: Int64 = 4

    /// In the order in which they are read: app by app, then what concerns all of them.
    package let findings: [BatchFinding]

    /// - Parameters:
    ///   - facts: what the database knows.
    ///   - apps: those that are configured; nil: all that the database knows.
    ///   - maxAge: how old an app's last finished night may be.
    ///   - now: the logical clock.
    package init(on facts: BatchFacts, apps: [String]? = nil, maxAge: Span, now: Instant) {
        let known = Dictionary(facts.apps.map { ($0.appID, $0) }) { first, _ in first }
        let asked = apps ?? facts.apps.map(\.appID)
        findings =
            asked.flatMap { Self.findings(of: known[$0] ?? BatchFacts.App($0), maxAge: maxAge, now: now) }
            + (facts.owedReports.isEmpty ? [] : [.missingReports(facts.owedReports)])
            + (facts.unreconciledDate.map { [.notReconciled($0)] } ?? [])
            + facts.deadRuns.map { .interrupted(runID: $0.runID, job: $0.job) }
    }

    package var isOK: Bool { findings.isEmpty }

    private static func findings(of app: BatchFacts.App, maxAge: Span, now: Instant) -> [BatchFinding] {
        [end(of: app), staleness(of: app, maxAge: maxAge, now: now), unread(app), letters(app)].compactMap(\.self)
    }

    private static func end(of app: BatchFacts.App) -> BatchFinding? {
        switch app.lastNight?.end {
        case .stopped(let reason): .stopped(app: app.appID, reason: reason)
        case .late(let reason): .late(app: app.appID, reason: reason)
        case .finished, nil: nil
        }
    }

    private static func staleness(of app: BatchFacts.App, maxAge: Span, now: Instant) -> BatchFinding? {
        guard !app.isUnderWay else { return nil }
        guard let last = app.lastFinished else { return .stale(app: app.appID, hours: nil) }
        let age = now - last
        return age > maxAge ? .stale(app: app.appID, hours: age.micros / Span.hours(1).micros) : nil
    }

    private static func unread(_ app: BatchFacts.App) -> BatchFinding? {
        app.unread > unreadNumber && app.unread * 100 > app.asked * unreadPercent
            ? .unread(app: app.appID, count: app.unread) : nil
    }

    private static func letters(_ app: BatchFacts.App) -> BatchFinding? {
        app.newDeadLetters > 0 ? .deadLetters(app: app.appID, count: app.newDeadLetters) : nil
    }
}
