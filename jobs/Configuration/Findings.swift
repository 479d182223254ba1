// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a configuration file, collected so that the owner sees all of it at once.
final class Findings {
    private let file: String
    private var found: [(line: Int, text: String)] = []
    private var foundElsewhere: [String] = []

    init(file: String) { self.file = file }

    var isEmpty: Bool { found.isEmpty && foundElsewhere.isEmpty }

    func add(_ text: String, line: Int) { found.append((line, text)) }

    /// What is wrong with a file that this one names.
    func add(_ other: Findings) { foundElsewhere += other.lines }

    /// One line each, in the order of the file; then those of other files.
    var lines: [String] {
        found.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
            .map { "\(file):\($0.element.line): \($0.element.text)" } + foundElsewhere
    }
}
