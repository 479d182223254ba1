// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

/// The instant an ISO 8601 text names; a text that names none fails the test at its line.
func at(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> Instant {
    try #require(Instant(iso8601: text), "no instant: \(text)", sourceLocation: location)
}
