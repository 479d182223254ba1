// SPDX-License-Identifier: Apache-2.0

/// Why no SQL could be made of a file, and where it says so.
package struct TemplateError: Error, Equatable, CustomStringConvertible {
    /// The file below the folder of all SQL.
    package let path: String
    /// From 1 on; nil where the whole file is meant.
    package let line: Int?
    package let message: String

    package init(path: String, line: Int? = nil, message: String) {
        self.path = path
        self.line = line
        self.message = message
    }

    package var description: String {
        let place = line.map { ", line \($0)" } ?? ""
        return "\(path)\(place): \(message)"
    }
}
