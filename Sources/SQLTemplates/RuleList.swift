// SPDX-License-Identifier: Apache-2.0

/// Numbers that rules rest on: `rules.txt` in the folder of all SQL has `continuous_gap = 24 hours`, and comments above it.
///
/// In a statement `{rule continuous_gap}` is the interval and `{rule continuous_gap in words}` is `24 hours`; in Swift it is a
/// constant.
package struct RuleList: Equatable, Sendable {
    package struct Rule: Equatable, Sendable {
        package let name: String
        package let hours: Int
        /// What it decides, line by line.
        package let meaning: [String]
    }

    package static let fileName = "rules.txt"

    package let rules: [Rule]

    /// Where there is no such file.
    package static let none = RuleList(rules: [])

    private init(rules: [Rule]) { self.rules = rules }

    /// Reads the file.
    ///
    /// Throws `TemplateError` for a line that is no rule, a rule without a meaning and a name that comes twice.
    package init(text: String) throws {
        var (rules, meaning): ([Rule], [String]) = ([], [])
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty { meaning = [] }
            if line.hasPrefix("#") { meaning.append(String(line.drop { $0 == "#" || $0 == " " })) }
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let parts = line.wholeMatch(of: /(\w+) = ([0-9]+) hours/), let hours = Int(parts.2), !meaning.isEmpty,
                !rules.contains(where: { $0.name == parts.1 })
            else {
                throw TemplateError(
                    path: Self.fileName, line: index + 1,
                    message: "'\(line)' is none of: name = 24 hours, once, below a comment that says what it decides")
            }
            rules.append(Rule(name: String(parts.1), hours: hours, meaning: meaning))
        }
        self.rules = rules
    }

    /// The text with every rule that it mentions written out.
    ///
    /// Throws `TemplateError`, which names the line.
    package func expanded(_ text: String, path: String) throws -> String {
        guard text.contains("{rule ") else { return text }
        return try text.replacing(/\{rule (\w+)(?<words> in words)?\}/) { match in
            guard let rule = rules.first(where: { $0.name == match.1 }) else {
                let line = 1 + text[..<match.range.lowerBound].count { $0 == "\n" }
                throw TemplateError(
                    path: path, line: line,
                    message:
                        "\(match.0) is not in \(Self.fileName), which has \(rules.map(\.name).joined(separator: ", "))")
            }
            return match.words == nil ? "interval '\(rule.hours) hours'" : "\(rule.hours) hours"
        }
    }
}
