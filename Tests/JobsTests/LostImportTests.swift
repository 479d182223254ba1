// SPDX-License-Identifier: Apache-2.0

import Imports
import Postgres
import TestSupport
import Testing

/// `import prices` through a network that fails once.
@Suite(.hangLimit) struct LostImportTests {
    /// At the opening of its run, within its work, at the commit of it before and after the server has it, and at the run's end.
    private static let losses: [(CuttingProxy.Fault, CuttingProxy.Place)] = [
        (.answerLost, .commit(1)), (.cut, .words("insert into subledger.prices", time: 1)), (.cut, .commit(2)),
        (.answerLost, .commit(2)), (.cut, .commit(3)), (.answerLost, .commit(3)),
    ]

    @Test(arguments: losses)
    func `an import whose session is lost goes on over another one, and books nothing twice`(
        fault: CuttingProxy.Fault, place: CuttingProxy.Place
    ) async throws {
        try await withLedgerDatabase { connection, _ in
            try await connection.script(PriceImportTests.waitingSale)
            let proxy = try CuttingProxy(toSocket: try await connection.socketPath())
            let proxied = try PostgresConfiguration(
                url: try await connection.url(throughPort: proxy.port) + "?sslmode=disable")
            proxy.plan(fault, at: place)
            let log = RecordedLog()
            let outcome = try await ReferenceLists.take(
                "app_id,product_id,currency,price\nacme-receipts,1000000481802759,USD,9.99\n", as: .prices, proxied,
                logger: log.logger)
            #expect(proxy.struck == 1)
            #expect(outcome.good == 1 && outcome.new == 1 && outcome.priced == 1 && outcome.bad.isEmpty)
            #expect(outcome.notes.count == 1)
            #expect(
                try await connection.lines("select kind, amount_micros from subledger.ledger_entries")
                    == ["charge|9990000"])
            #expect(
                try await connection.lines(
                    """
                    select run.outcome, run.counts ->> 'new' as new, run.counts ->> 'priced' as priced,
                        (select count(*) from subledger.prices price where price.recorded_run_id = run.run_id) as prices
                    from subledger.runs run where run.job = 'import' and run.seal is not null
                    """) == ["done|1|1|1"])
            #expect(log.lines.contains { $0.contains("trying again for") }, "\(log.lines)")
        }
    }
}
