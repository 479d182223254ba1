// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

/// The numbers that rules rest on, as the stores' periods are decided by.
@Suite struct RulesTests {
    @Test func `a gap of a day is none, and a month is one within 26 hours`() {
        #expect(Rules.continuousGap == .hours(24))
        #expect(Rules.monthTolerance == .hours(26))
    }

    @Test func `a charge of paid service may come 26 hours early`() {
        #expect(Rules.earlyRenewal == .hours(26))
    }
}
