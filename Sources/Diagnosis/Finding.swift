// SPDX-License-Identifier: Apache-2.0

/// One line of what was found: fine, or what to do.
package struct Finding: Hashable, Sendable, CustomStringConvertible {
    package enum Verdict: String, Sendable, CaseIterable {
        case fine
        case toDo = "to do"
        /// It could not be looked at because of something that is to be done first.
        case skipped
    }

    /// What was looked at, such as `database`.
    package let about: String
    package let verdict: Verdict
    package let text: String

    package static func fine(_ about: String, _ text: String) -> Finding {
        Finding(about: about, verdict: .fine, text: text)
    }

    package static func toDo(_ about: String, _ text: String) -> Finding {
        Finding(about: about, verdict: .toDo, text: text)
    }

    package static func skipped(_ about: String, _ text: String) -> Finding {
        Finding(about: about, verdict: .skipped, text: text)
    }

    /// On one line, whatever the text is.
    package var description: String {
        let word = verdict.rawValue + String(repeating: " ", count: Self.width - verdict.rawValue.count)
        return "\(word)\(about): \(text.split(whereSeparator: \.isNewline).joined(separator: " "))"
    }

    private static let width = 2 + (Verdict.allCases.map(\.rawValue.count).max() ?? 0)
}
