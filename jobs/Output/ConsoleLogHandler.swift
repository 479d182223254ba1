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
        switch format {
        case .text:
            // People read what the job came to in its summary.
            if logLevel < .warning || facts["event"] == nil { console.log(Self.text(event, facts)) }
        case .json: console.log(LogLine.json("\(event.message)", level: event.level, metadata: facts))
        }
    }

    private static func text(_ event: LogEvent, _ facts: Logger.Metadata) -> String {
        let level = "\(event.level)".padding(toLength: 7, withPad: " ", startingAt: 0)
        return (["\(Instant.currentSecond.iso8601) \(level) \(event.message)"] + words(of: facts))
            .joined(separator: " ").replacingOccurrences(of: "\n", with: " ").printable
    }

    /// `name=value`, in the order of names; of what has parts each part.
    private static func words(of facts: Logger.Metadata, within name: String = "") -> [String] {
        facts.sorted { $0.key < $1.key }.flatMap { key, value in
            if case .dictionary(let parts) = value { return words(of: parts, within: "\(name)\(key).") }
            return ["\(name)\(key)=\(value)"]
        }
    }
}
