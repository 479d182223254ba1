// SPDX-License-Identifier: Apache-2.0

package import Model

/// What a report is of: as known at which seal, about which days, by whose days, with which notes.
///
/// Nothing in it comes from the wall clock, so the same identity gives the same bytes.
package struct ReportIdentity: Sendable, Hashable {
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
    /// First day of the CSV files; nil for the whole history.
    package let firstDate: BusinessDate?
    /// Last day of everything, never after the business date.
    package let lastDate: BusinessDate
    /// What the owner remarks on days; nil: no file of them.
    package let notes: ReportNotes?

    package init(
        seal: Int64, runID: Int64, businessDate: BusinessDate, asOf: Instant, timeZone: String,
        firstDate: BusinessDate?, lastDate: BusinessDate?, notes: ReportNotes?
    ) {
        (self.seal, self.runID, self.asOf, self.timeZone) = (seal, runID, asOf, timeZone)
        (self.businessDate, self.firstDate) = (businessDate, firstDate)
        self.lastDate = min(lastDate ?? businessDate, businessDate)
        self.notes = notes
    }
}
