// SPDX-License-Identifier: Apache-2.0

import Extract
import Model
import Stores
import TestSupport
import Testing

/// Charges are checked again only where nothing else reports their refunds: not in an App Store app whose history of
/// notifications is read.
///
/// A pull that failed tonight keeps its mark and is no reason.
@Suite struct RefundWatchTests {
    private static let days: [Int64] = [30, 60]

    @Test(
        arguments: [
            // No pull yet; a mark; a mark that an old failure left; an app without a notification URL, and one that had one.
            (nil, true, days), ("'2026-03-09', null", true, []), ("'2026-01-01', null", true, []),
            ("null, '2026-03-09'", true, days), ("'2026-01-01', '2026-03-09'", true, days),
            // A store whose notifications do not report every refund.
            ("'2026-03-09', null", false, days),
        ] as [(String?, Bool, [Int64])])
    func `B6: the refund watch is for apps whose notification history cannot be read`(
        pull: String?, reportsRefunds: Bool, expected: [Int64]
    ) async throws {
        try await withLedgerDatabase { connection, _ in
            if let pull {
                try await connection.script(
                    "insert into subledger.notification_pulls values ('acme-ios', \(pull), 1)")
            }
            let store = ReportingStore(refundWatchDays: Self.days, reportsRefunds: reportsRefunds)
            let days = try await ExtractStage(connection: connection).refundWatchDays(
                of: store.appID, days: store.refundWatchDays, reportsRefunds: store.reportsRefunds)
            #expect(days == expected)
        }
    }
}
