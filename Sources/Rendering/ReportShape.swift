// SPDX-License-Identifier: Apache-2.0

/// A report's columns in order, and what the report is.
package struct ReportShape: Sendable {
    package let definition: String
    package let columns: [ReportColumn]

    package init(definition: String, columns: [ReportColumn]) {
        (self.definition, self.columns) = (definition, columns)
    }
}
