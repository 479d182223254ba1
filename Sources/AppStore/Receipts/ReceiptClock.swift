// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores

/// Reads `2021-08-09 18:26:02 Etc/GMT` and the like.
enum ReceiptClock {
    private static let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt)
        .year().month().day().time(includingFractionalSeconds: false)
    private static let california = TimeZone(identifier: "America/Los_Angeles")
    private static let offsets = [-7, -8].map { $0 * 3_600 }

    /// The instants a clock of that zone shows these figures at: one, or two in a repeated hour, or none.
    static func instants(of text: String) -> [Instant] {
        let parts = text.split(separator: " ")
        guard parts.count == 3, let local = try? style.parse("\(parts[0]) \(parts[1])") else { return [] }
        switch parts[2] {
        case "Etc/GMT", "GMT", "UTC": return [instant(local)]
        case "America/Los_Angeles": return offsets.compactMap { fit(local, offset: $0) }
        default: return []
        }
    }

    private static func fit(_ local: Date, offset: Int) -> Instant? {
        let date = local.addingTimeInterval(-Double(offset))
        return california?.secondsFromGMT(for: date) == offset ? instant(date) : nil
    }

    /// Whole seconds are exact in a `Date`.
    private static func instant(_ date: Date) -> Instant {
        Instant(milliseconds: Int64(date.timeIntervalSince1970.rounded()) * 1_000)
    }
}
