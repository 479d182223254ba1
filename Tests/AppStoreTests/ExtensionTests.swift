// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import TestSupport
import Testing

@testable import AppStore

/// An extension that shows in the renewal date alone.
@Suite("Renewal dates beyond the expiry")
struct ExtensionTests {
    private static let later = Rows.april + 20 * 86_400_000

    private func observed(
        status: Int, renewal: Int64, _ transaction: [String: Any] = Rows.transaction()
    ) throws -> Observation {
        let body = try Rows.statuses(status: status, transaction, Rows.renewal(["renewalDate": renewal]))
        return try #require(try Acme.read(body).observations.first)
    }

    @Test func `B2: while it is active the later of expiry and renewal date is the expiry`() throws {
        let extended = try observed(status: 1, renewal: Self.later)
        #expect(extended.status?.expiresAt == Instant(milliseconds: Self.later))
        #expect(extended.periods.map(\.end) == [Instant(milliseconds: Rows.april)])
        #expect(extended.periods.map(\.extendedUntil) == [Instant(milliseconds: Self.later)])
    }

    @Test(arguments: [2, 3, 4, 5]) func `in no other state the renewal date says anything`(status: Int) throws {
        let ended = try observed(status: status, renewal: Self.later)
        #expect(ended.status?.expiresAt == Instant(milliseconds: Rows.april))
        #expect(ended.periods.map(\.extendedUntil) == [nil])
    }

    @Test func `a renewal date up to the expiry says nothing, nor one of what was taken back`() throws {
        for date in [Rows.april, Rows.april - 1, Rows.march] {
            #expect(try observed(status: 1, renewal: date).periods.map(\.extendedUntil) == [nil])
        }
        let revoked = Rows.transaction(["revocationDate": Rows.signed, "revocationReason": 0])
        #expect(
            try observed(status: 1, renewal: Self.later, revoked).status?.expiresAt == Instant(milliseconds: Rows.april)
        )
    }
}
