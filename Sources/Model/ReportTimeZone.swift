// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Whose midnights divide the days of a report: one zone's, or each store's own (`store`).
package struct ReportTimeZone: Hashable, Sendable, CustomStringConvertible {
    /// An IANA name, or `store`: America/Los_Angeles for App Store rows, UTC for the others.
    package let identifier: String
    /// The zone in which a day is over last: only then is it complete.
    package let lastZone: TimeZone

    /// Foundation calls UTC by another name; tables of the one's days would not serve who asks in the other.
    package init(_ zone: TimeZone) {
        self.init(identifier: zone.identifier == TimeZone.gmt.identifier ? "UTC" : zone.identifier, lastZone: zone)
    }

    private init(identifier: String, lastZone: TimeZone) {
        self.identifier = identifier
        self.lastZone = lastZone
    }

    /// From the configuration; nil for a name that no zone has.
    package init?(named name: String) {
        if name == "store", let losAngeles = TimeZone(identifier: "America/Los_Angeles") {
            self.init(identifier: name, lastZone: losAngeles)
        } else if let zone = TimeZone(identifier: name) {
            self.init(zone)
        } else {
            return nil
        }
    }

    package static let utc = ReportTimeZone(.gmt)

    package var description: String { identifier }
}

extension BusinessDate {
    package init(lastCompleteDayBefore now: Instant, in zone: ReportTimeZone) {
        self.init(lastCompleteDayBefore: now, in: zone.lastZone)
    }
}
