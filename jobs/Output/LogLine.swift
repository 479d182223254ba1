// SPDX-License-Identifier: Apache-2.0

import Logging
import Model

/// A line of the log for machines: one JSON object.
enum LogLine {
    /// Of a sentence without further facts.
    static func json(_ sentence: String, level: Logger.Level) -> String {
        json(sentence, level: level, metadata: [:])
    }

    /// What is said of the moment wins over facts of the same name.
    static func json(_ sentence: String, level: Logger.Level, metadata: Logger.Metadata) -> String {
        let fixed: [String: LogValue] = [
            "time": .text(Instant.currentSecond.iso8601), "level": .text("\(level)"), "message": .text(sentence),
        ]
        return JSONOutput.line(metadata.mapValues(LogValue.init).merging(fixed) { _, fixed in fixed })
    }
}

/// A fact of a log line: numbers are numbers, and what has parts is an object.
enum LogValue: Encodable {
    case text(String)
    case number(Double)
    case count(Int64)
    case list([LogValue])
    case object([String: LogValue])

    init(_ value: Logger.MetadataValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .stringConvertible(let count as Int64): self = .count(count)
        case .stringConvertible(let count as Int): self = .count(Int64(count))
        case .stringConvertible(let number as Double): self = .number(number)
        case .stringConvertible(let other): self = .text("\(other)")
        case .array(let values): self = .list(values.map(LogValue.init))
        case .dictionary(let values): self = .object(values.mapValues(LogValue.init))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .count(let count): try container.encode(count)
        case .list(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }
}
