// SPDX-License-Identifier: Apache-2.0

import Model

/// A line that was not taken, and why.
///
/// Its values are shown only where they are short and no secret.
package struct BadLine: Sendable, Hashable {
    package struct Reason: Error, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
        package let description: String
        package init(_ text: String) { self.description = text }
        package init(stringLiteral value: String) { self.description = value }

        /// Why a CSV file with that header (nil: JSON Lines) cannot be read: it has columns that are not among these.
        static func foreignColumn(in header: [String]?, beside columns: [String]) -> Self? {
            guard let header, header.contains(where: { !columns.contains($0) }) else { return nil }
            return Self("the header must name columns among \(columns.joined(separator: ", "))")
        }

        /// A short value may be shown; a long one may be a receipt or a token in the wrong column.
        init(quoting text: String) {
            description =
                text.count <= 40 && PlainText.isPlain(text) ? "`\(text)`" : "of \(text.count) characters"
        }
    }

    package let number: Int
    package let reason: Reason
}
