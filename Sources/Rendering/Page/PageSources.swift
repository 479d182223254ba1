// SPDX-License-Identifier: Apache-2.0

/// What the page says that no file holds.
package struct PageSources {
    /// The churn of some spans of thirty days.
    let windows: PageCube
    let missing: [PageVerdict.Missing]
    let stamp: PageStamp
    let provenance: PageProvenance
    /// Currencies in use, and the day of their newest exchange rate, where that is long before the report's last day.
    let staleRates: [(currency: String, newest: String)]
    /// The first and last of the dates right before the report's on which no night was sealed; nil where there are none.
    let gap: (first: String, last: String)?
    /// What the report of changes compares with; nil before the first issue.
    let lastIssue: (businessDate: String, seal: Int64)?
    /// What apps are called, by id.
    let titles: [String: String]

    package init(
        windows: PageCube, missing: [PageVerdict.Missing], stamp: PageStamp, provenance: PageProvenance,
        staleRates: [(currency: String, newest: String)], gap: (first: String, last: String)?,
        lastIssue: (businessDate: String, seal: Int64)?, titles: [String: String] = [:]
    ) {
        (self.windows, self.missing, self.stamp, self.provenance) = (windows, missing, stamp, provenance)
        (self.staleRates, self.gap, self.lastIssue, self.titles) = (staleRates, gap, lastIssue, titles)
    }
}
