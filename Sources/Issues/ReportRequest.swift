// SPDX-License-Identifier: Apache-2.0

package import Marts
package import Model
package import Rendering

/// Which report to issue or to export, where to, and what becomes of the tables that it is made from.
@dynamicMemberLookup
package struct ReportRequest: Sendable, Hashable {
    package let identity: ReportIdentity
    /// The folder that holds one folder for each issue, or each export.
    package let directory: String
    /// What becomes of the marts first.
    package let upkeep: TableUpkeep
    /// How `report.html` is made.
    package let page: PageOptions
    /// The CSV files once more, in another profile.
    package let copies: CSVCopies?
    /// A schedule asks again and again: a further issue of its date is made only where it says something else than the last.
    package let isRepeated: Bool
    /// Who may read its files.
    package let mode: FileMode

    package init(
        seal: Int64, runID: Int64, businessDate: BusinessDate, asOf: Instant, timeZone: String = "UTC",
        directory: String, firstDate: BusinessDate? = nil, lastDate: BusinessDate? = nil,
        upkeep: TableUpkeep = .movedOn, page: PageOptions = PageOptions(), notes: ReportNotes? = nil,
        copies: CSVCopies? = nil, isRepeated: Bool = false, mode: FileMode = .usual
    ) {
        identity = ReportIdentity(
            seal: seal, runID: runID, businessDate: businessDate, asOf: asOf, timeZone: timeZone,
            firstDate: firstDate, lastDate: lastDate, notes: notes)
        (self.directory, self.upkeep, self.page) = (directory, upkeep, page)
        (self.copies, self.isRepeated, self.mode) = (copies, isRepeated, mode)
    }

    /// What the report is of.
    package subscript<Value>(dynamicMember path: KeyPath<ReportIdentity, Value>) -> Value { identity[keyPath: path] }

    /// Nothing of it is remembered, and nothing in the database moves.
    var isExport: Bool { upkeep == .leftAlone }
}
