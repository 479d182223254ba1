// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a configuration file, collected so that the owner sees all of it at once.
final class Findings {
    private struct Finding {
        let line: Int
        let text: String
        /// The section of the app whose file it is about; nil: about the configuration itself.
        let app: String?
    }

    private let file: String
    private var found: [Finding] = []
    private var foundElsewhere: [String] = []

    init(file: String) { self.file = file }

    /// Nothing is wrong but files of single apps.
    var isEmpty: Bool { found.allSatisfy { $0.app != nil } && foundElsewhere.isEmpty }

    /// `app`: the section of the app whose file cannot be used, which stops that app alone.
    func add(_ text: String, line: Int, stopping app: String? = nil) {
        found.append(Finding(line: line, text: text, app: app))
    }

    /// What is wrong with a file that this one names.
    func add(_ other: Findings) { foundElsewhere += other.lines }

    /// One line each, in the order of the file; then those of other files.
    var lines: [String] { lines(of: found) + foundElsewhere }

    /// What is wrong with files of the app of that section.
    func lines(stopping app: String) -> [String] { lines(of: found.filter { $0.app == app }) }

    private func lines(of findings: [Finding]) -> [String] {
        findings.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
            .map { "\(file):\($0.element.line): \($0.element.text)" }
    }
}
