// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Ways of telling the same answer.
enum Telling: String, CaseIterable, Sendable {
    case asRecorded, backwards, withUnknownFields
    case inMilliseconds, inGreenwichTime, inPacificTime

    /// The answer, told this way.
    func bytes(of answer: Data) throws -> [UInt8] {
        guard self != .asRecorded else { return Array(answer) }
        let told = told(try JSONSerialization.jsonObject(with: answer))
        return Array(try JSONSerialization.data(withJSONObject: told))
    }

    private func told(_ value: Any) -> Any {
        switch value {
        case let rows as [Any]: return (self == .backwards ? rows.reversed() : rows).map(told)
        case let fields as [String: Any]:
            var fields = fields.filter { keeps($0.key, beside: fields) }.mapValues(told)
            if self == .withUnknownFields {
                fields["a_field_of_tomorrow"] = ["deep": [1, NSNull(), "text"]]
                fields["another_date_ms"] = "not a date"
            }
            return fields
        default: return value
        }
    }

    /// A date stands in an answer in three forms: `x`, `x_ms` and `x_pst`.
    private func keeps(_ name: String, beside fields: [String: Any]) -> Bool {
        let suffixes = ["_ms", "_pst"]
        let stem = suffixes.first { name.hasSuffix($0) }.map { String(name.dropLast($0.count)) } ?? name
        guard suffixes.allSatisfy({ fields[stem + $0] != nil }), fields[stem] != nil else { return true }
        switch self {
        case .inMilliseconds: return name.hasSuffix("_ms")
        case .inGreenwichTime: return name == stem
        case .inPacificTime: return name.hasSuffix("_pst")
        case .asRecorded, .backwards, .withUnknownFields: return true
        }
    }
}
