// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLTemplates

/// The numbers of `sql/rules.txt` as Swift constants, for a module that has `Span`.
struct SwiftRules {
    private let rules: [RuleList.Rule]

    init(at file: String) throws {
        rules = try RuleList(text: try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8)).rules
    }

    var text: String {
        let constants = rules.map { rule in
            let meaning = rule.meaning.map { "    /// \($0)\n" }.joined()
            return "\(meaning)    package static let \(Self.constant(rule.name)) = Span.hours(\(rule.hours))"
        }
        return "/// Numbers that rules rest on, as sql/rules.txt has them.\npackage enum Rules {\n"
            + constants.joined(separator: "\n\n") + "\n}\n"
    }

    /// `continuous_gap` → `continuousGap`
    private static func constant(_ name: String) -> String {
        let words = name.split(separator: "_")
        return words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
    }
}
