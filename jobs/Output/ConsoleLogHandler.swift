// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Model

/// The log on stderr: lines for people, or one JSON object a line for machines.
struct ConsoleLogHandler: LogHandler {
    let console: Console
    let format: SharedOptions.LogFormat
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    init(console: Console, format: SharedOptions.LogFormat, logLevel: Logger.Level) {
        self.console = console
        self.format = format
        self.logLevel = logLevel
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let facts = metadata.merging(event.metadata ?? [:]) { _, new in new }
            .map { (key: $0.key, value: "\($0.value)") }.sorted { $0.key < $1.key }
        switch format {
        case .text: console.log(Self.text(event, facts))
        case .json: console.log(Self.json(event, facts))
        }
    }

    private static func text(_ event: LogEvent, _ facts: [(key: String, value: String)]) -> String {
        let level = "\(event.level)".padding(toLength: 7, withPad: " ", startingAt: 0)
        return (["\(Instant.currentSecond.iso8601) \(level) \(event.message)"] + facts.map { "\($0.key)=\($0.value)" })
            .joined(separator: " ").replacingOccurrences(of: "\n", with: " ").printable
    }

    private static func json(_ event: LogEvent, _ facts: [(key: String, value: String)]) -> String {
        let fixed = [
            "time": Instant.currentSecond.iso8601, "level": "\(event.level)", "message": "\(event.message)",
        ]
        let all = Dictionary(facts.map { ($0.key, $0.value) }) { first, _ in first }.merging(fixed) { _, fixed in fixed
        }
        return JSONOutput.line(all)
    }
}
