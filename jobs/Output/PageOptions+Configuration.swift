// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reports

extension PageOptions {
    /// As configured, with the text of Chart.js. Without one, the page says that it has no charts.
    init(_ reports: Configuration.Reports) {
        let script = (reports.chartScript.map { [$0] } ?? Self.systemChartScripts).lazy
            .compactMap { FileManager.default.contents(atPath: $0) }.first
        self.init(
            language: reports.language, chartScript: script.map { String(decoding: $0, as: UTF8.self) },
            programVersion: Subledger.version)
    }
}
