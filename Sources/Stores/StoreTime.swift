// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Model

extension Instant {
    /// From the milliseconds a store sends; nil outside the years 1970 to 9999, which no store means.
    package init?(storeMilliseconds: Int64?) {
        guard let storeMilliseconds, (0..<253_402_300_800_000).contains(storeMilliseconds) else { return nil }
        self.init(milliseconds: storeMilliseconds)
    }

    /// The wall clock, to the millisecond: tokens and waits live by it, whatever a run's logical now is.
    package static var wallClock: Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }
}
