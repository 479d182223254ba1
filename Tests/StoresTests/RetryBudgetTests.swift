// SPDX-License-Identifier: Apache-2.0

import Stores
import Testing

@Suite struct RetryBudgetTests {
    @Test func `the retry budget is a tenth of the calls, at least twenty`() {
        var budget = RetryBudget()
        #expect((0..<21).filter { _ in budget.takeRetry() }.count == 20)
        for _ in 0..<300 { budget.countCall() }
        #expect((0..<21).filter { _ in budget.takeRetry() }.count == 10)
    }
}
