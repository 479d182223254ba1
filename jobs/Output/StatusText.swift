// SPDX-License-Identifier: Apache-2.0

import Operations

/// The status for people.
struct StatusText: CustomStringConvertible {
    /// So many runs of dates without a night are named.
    private static let namedGaps = 10

    let report: StatusReport

    init(_ report: StatusReport) { self.report = report }

    var description: String {
        let nights = NightsText(report: report)
        let first = ["\(report.verdict)".printable, section("Nights and reports", nights.table)] + nights.owed
        return
            (first + standby + [
                section("Apps", apps), section("Last runs", runs), section("Open dead letters", deadLetters),
            ]
            + gaps
            + staleRates + [section("Connections", connections)])
            .joined(separator: "\n\n")
    }

    /// Nothing where it was read on a primary.
    private var standby: [String] { report.standby.map { ["Read on a standby\n  \($0)"] } ?? [] }

    private func section(_ title: String, _ body: String?) -> String { title + "\n" + (body ?? "  none") }

    private var apps: String? {
        guard !report.apps.isEmpty else { return nil }
        let head = ["app", "subscriptions", "followed", "due now", "unread", "due since", "last night"]
        let rows = report.apps.map { app in
            [
                report.name(of: app.appID), app.subscriptions.grouped, app.followed.grouped, app.due.grouped,
                app.unread.grouped,
                app.dueSince ?? "-", freshness(app),
            ]
        }
        return TextTable(head, rows).description
    }

    private func freshness(_ app: StatusReport.App) -> String {
        guard let night = app.lastNight, let seconds = app.secondsSinceLastNight else { return "never" }
        return "\(night) (\(seconds / 3_600) h ago)"
    }

    private var connections: String {
        let connections = report.connections
        let (workers, needed) = (connections.workers, connections.needed)
        let line =
            "  a night takes up to \(needed) (\(workers) workers and \(needed - workers) more), free now are "
            + "\(connections.free.grouped) of the \(connections.limitedBy)'s \(connections.limit.grouped)"
        guard connections.free < Int64(needed) else { return line }
        return line + "\n  too few: let the \(connections.limitedBy) have more, or give the night fewer --workers"
    }

    /// Nothing where the rates are new enough.
    private var staleRates: [String] {
        guard !report.staleRates.isEmpty else { return [] }
        let rates = report.staleRates.map { "  \($0.currency): the newest is of \($0.newest)" }
        return [
            "Exchange rates that end long before the newest report (mend it with subledger import fx FILE)\n"
                + rates.joined(separator: "\n")
        ]
    }

    /// Nothing where each date since the first night had one.
    private var gaps: [String] {
        guard !report.gaps.isEmpty else { return [] }
        var lines = report.gaps.prefix(Self.namedGaps).map { gap in
            gap.firstDate == gap.lastDate ? "  \(gap.firstDate)" : "  \(gap.firstDate) to \(gap.lastDate)"
        }
        let unnamed = report.gaps.count - lines.count
        if unnamed > 0 { lines.append("  … and \(unnamed) earlier: --json has them all") }
        return [
            "Dates on which no night was sealed (they have no report of their own)\n" + lines.joined(separator: "\n")
        ]
    }

    private var runs: String? {
        guard !report.runs.isEmpty else { return nil }
        let head = ["run", "job", "business date", "now", "outcome", "counts"]
        let rows = report.runs.map { run in
            [
                String(run.runID), run.job, run.businessDate, run.logicalNow, outcome(run),
                UnknownText(run.counts).known.sorted { $0.key < $1.key }.filter { $0.value != 0 }
                    .map { "\($0.key) \($0.value.grouped)" }.joined(separator: ", "),
            ]
        }
        return ([TextTable(head, rows).description] + report.runs.flatMap(remarks)).joined(separator: "\n")
    }

    /// What a run's line has no room for.
    private func remarks(on run: StatusReport.Run) -> [String] {
        var remarks = report.hosts.filter { $0.runID == run.runID }.map(Self.progress)
        remarks += run.stopped.map { stopped in
            let parts = stopped.split(separator: ": ", maxSplits: 1).map(String.init)
            return StoppedText.line(parts.first ?? "", parts.last ?? "").printable
        }
        if let failure = run.failure { remarks.append("failed: \(failure)") }
        if run.isReportMissing {
            remarks.append("the report of \(run.businessDate) is missing; the next night writes it")
        }
        if let unknown = UnknownText(run.counts).line { remarks.append("unknown to this version: \(unknown)") }
        return remarks.map { "  run \(run.runID): \($0)" }
    }

    private static func progress(of host: StatusReport.Host) -> String {
        "process \(host.processID) on \(host.machine): \(host.checks.grouped) checked in \(host.chunks.grouped) chunks, at "
            + "\(host.leased.grouped) now, seen \(host.seenAt)"
    }

    private func outcome(_ run: StatusReport.Run) -> String {
        run.isAlive ? "running (process \(run.processID) on \(run.host))" : run.outcome
    }

    private var deadLetters: String? {
        guard !report.deadLetters.isEmpty else { return nil }
        let rows = report.deadLetters.map { cause in
            [
                cause.appID, cause.stage, cause.reason, cause.letters.grouped, cause.oldest,
                cause.exampleKey.map(String.init) ?? "-",
            ]
        }
        return TextTable(["app", "stage", "reason", "letters", "oldest", "for example"], rows).description
    }
}
