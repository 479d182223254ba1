// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// What the program knows of Google Play's answers, held against the discovery document of the pinned client: a new version
/// of it shows what is new.
@Suite(.hangLimit) struct GoogleFieldTests {
    @Test func `every field of Google Play's answers is read by the type listed, or left with a reason`() async throws {
        let reported = try await FieldList.googlePlay.reported()
        #expect(reported.wrong == [])
        #expect(reported.fields > 150, "too few fields to prove anything")
    }

    @Test
    func `a field or a word that is not in the list is found, and so is a reader that reads nothing`() async throws {
        let reported = try await FieldList.googlePlay.reported { lines in
            lines.filter { !$0.hasPrefix("Order.tax ") }.map { line in
                if line.hasPrefix("Order.total ") { return "Order.total | read: Shares" }
                if line.hasPrefix("Order.salesChannel ") { return "Order.salesChannel | not read:\n    MOON IN_APP" }
                return line.replacing(" OUTSIDE_PLAY_STORE", with: "")
            }
        }
        #expect(
            reported.wrong == [
                "Order.salesChannel is neither read nor has it a reason",
                "Order.salesChannel may hold these, too: OUTSIDE_PLAY_STORE",
                "Order.salesChannel may not hold these any more: MOON",
                "Order.tax is new: read it, or say in the list why not",
                "Order.total is said to be read by Shares, which does not name it",
            ])
    }
}
