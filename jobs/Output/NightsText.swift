// SPDX-License-Identifier: Apache-2.0

import Operations

/// The status of nights and reports, for people: each app's last ones, and what is owed.
struct NightsText {
    let report: StatusReport

    /// Each app's last night and last issue; nil where there is no app.
    var table: String? {
        guard !report.nights.isEmpty else { return nil }
        let rows = report.nights.map { night in
            [
                report.name(of: night.appID), night.businessDate ?? "never", night.logicalNow ?? "-", end(of: night),
                night.issueBusinessDate ?? "none", night.issuedAt ?? "-",
            ]
        }
        return TextTable(["app", "last night of", "at", "went", "last report of", "issued"], rows).description
    }

    /// Every date that owes its report, however old; none where there is none.
    var owed: [String] {
        guard !report.owedReports.isEmpty else { return [] }
        return [
            "Reports that are owed (the next night that finishes an app writes them first)\n"
                + report.owedReports.map { "  \($0)" }.joined(separator: "\n")
        ]
    }

    private func end(of night: StatusReport.Night) -> String {
        let words = [night.end, night.reason.map { "(\($0))" }, night.isUnderWay ? "one is under way" : nil]
        let text = words.compactMap(\.self).joined(separator: " ")
        return text.isEmpty ? "-" : text
    }
}
