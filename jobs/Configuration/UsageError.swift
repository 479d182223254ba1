// SPDX-License-Identifier: Apache-2.0

/// The command line or the configuration cannot be used: one line for each thing that is wrong, exit code 64.
///
/// It is thrown before anything is changed.
struct UsageError: Error, Hashable, CustomStringConvertible {
    let lines: [String]

    init(lines: [String]) { self.lines = lines }

    init(_ line: String) { self.lines = [line] }

    var description: String { lines.joined(separator: "\n") }
}
