// SPDX-License-Identifier: Apache-2.0

package import Model

/// Which report to issue or to export: as known at which seal, about which days, and where to.
///
/// Nothing in it comes from the wall clock, so the same request gives the same bytes.
package struct ReportRequest: Sendable, Hashable {
    /// Version of the definitions printed in the report; a changed definition is a new version.
    package static let definitionsVersion = 3

    /// The number of the sealed run whose books are reported: everything sealed up to it, and nothing after.
    package let seal: Int64
    package let runID: Int64
    /// The last day reported, and the folder's name; an export's has the seal behind it.
    package let businessDate: BusinessDate
    /// That run's logical now: the "as of" on the report.
    package let asOf: Instant
    /// An IANA name, or `store` for each store's own zone.
    package let timeZone: String
    /// The folder that holds one folder for each issue, or each export.
    package let directory: String
    /// First day of the CSV files; nil for the whole history.
    package let firstDate: BusinessDate?
    /// Last day of everything, never after the business date.
    package let lastDate: BusinessDate
    /// What becomes of the kept tables first.
    package let upkeep: TableUpkeep
    /// How `report.html` is made.
    package let page: PageOptions
    /// What the owner remarks on days; nil: no file of them.
    package let notes: ReportNotes?
    /// The CSV files once more, in another profile.
    package let copies: CSVCopies?
    /// A schedule asks again and again: a further issue of its date is made only where it says something else than the last.
    package let isRepeated: Bool

    package init(
        seal: Int64, runID: Int64, businessDate: BusinessDate, asOf: Instant, timeZone: String = "UTC",
        directory: String, firstDate: BusinessDate? = nil, lastDate: BusinessDate? = nil,
        upkeep: TableUpkeep = .movedOn, page: PageOptions = PageOptions(), notes: ReportNotes? = nil,
        copies: CSVCopies? = nil, isRepeated: Bool = false
    ) {
        self.seal = seal
        self.runID = runID
        self.businessDate = businessDate
        self.asOf = asOf
        self.timeZone = timeZone
        self.directory = directory
        self.firstDate = firstDate
        self.lastDate = min(lastDate ?? businessDate, businessDate)
        self.upkeep = upkeep
        self.page = page
        self.notes = notes
        self.copies = copies
        self.isRepeated = isRepeated
    }

    /// Nothing of it is remembered, and nothing in the database moves.
    var isExport: Bool { upkeep == .leftAlone }
}
