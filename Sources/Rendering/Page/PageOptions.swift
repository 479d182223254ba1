// SPDX-License-Identifier: Apache-2.0

/// How the page of a report is made.
package struct PageOptions: Sendable, Hashable {
    /// Where Debian keeps Chart.js.
    package static let systemChartScripts = [
        "/usr/share/javascript/chart.js/chart.min.js", "/usr/share/javascript/chart.js/Chart.min.js",
    ]

    /// `en` or `ja`.
    package var language: String
    /// The text of Chart.js; nil leaves the page without charts.
    package var chartScript: String?
    /// As `subledger --version` says it.
    package var programVersion: String

    package init(language: String = "en", chartScript: String? = nil, programVersion: String = "") {
        self.language = language
        self.chartScript = chartScript
        self.programVersion = programVersion
    }
}
