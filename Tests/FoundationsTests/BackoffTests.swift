// SPDX-License-Identifier: Apache-2.0

import Foundations
import Testing

@Suite struct BackoffTests {
    @Test func `the ceiling doubles up to the cap and the wait is a random part of it`() {
        let backoff = Backoff(base: .milliseconds(500), cap: .seconds(3), attempts: 9)
        #expect(backoff.delay(afterAttempt: 1, random: 1) == .milliseconds(500))
        #expect(backoff.delay(afterAttempt: 3, random: 1) == .seconds(2))
        #expect(backoff.delay(afterAttempt: 4, random: 1) == .seconds(3))
        #expect(backoff.delay(afterAttempt: 400, random: 0.5) == .milliseconds(1_500))
        #expect(backoff.delay(afterAttempt: 2, random: 0) == .zero)
    }
}
