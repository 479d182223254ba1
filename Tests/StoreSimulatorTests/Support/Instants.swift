// SPDX-License-Identifier: Apache-2.0

@testable import StoreSimulator

/// The instant of an ISO 8601 text; a mistyped one is the distant past, where every expectation fails.
func instant(_ text: String) -> Int64 {
    CivilTime.instant(iso8601: text) ?? .min
}
