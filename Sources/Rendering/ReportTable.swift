// SPDX-License-Identifier: Apache-2.0

/// A report as it was written to its file.
package struct ReportTable {
    package let name: String
    package let fileName: String
    package let rowCount: Int
    package let shape: ReportShape
    /// What the page shows of it.
    package let section: PageSection

    package init(name: String, fileName: String, rowCount: Int, shape: ReportShape, section: PageSection) {
        (self.name, self.fileName, self.rowCount) = (name, fileName, rowCount)
        (self.shape, self.section) = (shape, section)
    }
}
