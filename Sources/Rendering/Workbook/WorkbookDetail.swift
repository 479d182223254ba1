// SPDX-License-Identifier: Apache-2.0

/// The sheet of single transactions: a window on them, whose newest rows it has.
///
/// Ids are text, purchase tokens are not among them.
package enum WorkbookDetail {
    static let sheetName = "Detail"
    /// Rows at most: the newest.
    package static let rowLimit = 20_000
}
