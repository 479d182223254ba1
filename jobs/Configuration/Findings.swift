// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a configuration file, collected so that the owner sees all of it at once.
final class Findings {
    private let file: String
    private var found: [(line: Int, text: String)] = []

    init(file: String) { self.file = file }

    var isEmpty: Bool { found.isEmpty }

    func add(_ text: String, line: Int) { found.append((line, text)) }

    /// One line each, in the order of the file.
    var lines: [String] {
        found.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
            .map { "\(file):\($0.element.line): \($0.element.text)" }
    }
}
