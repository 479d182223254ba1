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

    /// From the configuration: `store`, UTC, or a name of the IANA list with a slash, links such as Asia/Calcutta too;
    /// nil for any other.
    ///
    /// Abbreviations and offsets (`GMT+9`) mean different things to different programs.
    package init?(named name: String) {
        if name == "UTC" {
            self = .utc
        } else if name == "store", let losAngeles = TimeZone(identifier: "America/Los_Angeles") {
            self.init(identifier: name, lastZone: losAngeles)
        } else if name.contains("/"), let zone = TimeZone(identifier: name) {
            self.init(identifier: name, lastZone: zone)
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
