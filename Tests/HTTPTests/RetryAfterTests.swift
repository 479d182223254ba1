// SPDX-License-Identifier: Apache-2.0

import HTTP
import Testing

@Suite struct RetryAfterTests {
    @Test(
        arguments: [
            // A number of seconds.
            ("7", Duration.seconds(7)), (" 7 ", .seconds(7)), ("0", .zero),
            // The App Store's: the UNIX time in milliseconds when to come back; now is 1,700,000,000,000.
            ("1700000004500", .milliseconds(4_500)), ("1699999990000", .zero),
            ("soon", nil), ("-1", nil), ("", nil), ("Wed, 21 Oct 2026 07:28:00 GMT", nil),
        ] as [(String, Duration?)])
    func `Retry-After is read in both its meanings`(value: String, wait: Duration?) {
        #expect(RetryAfter.wait(value, nowMilliseconds: 1_700_000_000_000) == wait)
    }
}
