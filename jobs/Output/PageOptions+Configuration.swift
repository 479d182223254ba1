// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Rendering

extension PageOptions {
    /// As configured, with the text of Chart.js.
    ///
    /// Without one the page has no charts: it says so, and so does the log.
    init(_ reports: Configuration.Reports, logger: Logger) {
        let paths = reports.chartScript.map { [$0] } ?? Self.systemChartScripts
        let script = paths.lazy.compactMap { FileManager.default.contents(atPath: $0) }.first
        if script == nil {
            logger.warning(
                """
                report.html will have no charts: Chart.js is not at \(paths.joined(separator: " or ")); install it \
                (Debian and Ubuntu: libjs-chart.js), or name its file as reports.chart_js
                """)
        }
        self.init(
            language: reports.language, chartScript: script.map { String(decoding: $0, as: UTF8.self) },
            programVersion: Subledger.number)
    }
}
