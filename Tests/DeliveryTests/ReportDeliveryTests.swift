// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Model
import Postgres
import Rendering
import Runs
import Testing
import TestSupport

@testable import Delivery

/// Issues sent to real servers: each recipient once, whatever fails on the way, and no recipient is delayed by another.
@Suite struct ReportDeliveryTests {
    private typealias World = DeliveryWorld

    @Test(.hangLimit) func `a mail contains the digest and the files of the issue, a chat the digest`() async throws {
        try await World.with { world in
            let folder = try await world.issue()
            let (local, hook) = (try await LocalMailServer(), try LoopbackServer { _, _ in .init() })
            let outcome = try await world.send(
                [
                    try World.email("ana@example.com", attach: [.html, .xlsx]),
                    World.chat(hook.url + "/services/T0/geheim"),
                ],
                mail: try World.mail(local))
            #expect(outcome.issue == folder && outcome.failures == [])
            #expect(outcome.delivered == ["ana@example.com", "chat"])
            let mail = try #require(try local.mails.first)
            #expect(mail.header("Subject") == ["Revenue and churn 2026-03-31: Agrees and complete"])
            #expect(mail.parts[2].text.contains("MRR: 1,000.00 USD (+2.0% against 30 days before)\n"))
            #expect(mail.parts.suffix(2).map(\.name) == ["report.html", "report.xlsx"])
            let sums = try await CommandLineRun(
                product: "/usr/bin/sha256sum", arguments: ["\(folder)/report.html", "\(folder)/report.xlsx"]
            ).run().standardOutput.split(separator: "\n").map { String($0.prefix(64)) }
            #expect(mail.parts.suffix(2).map(\.sha256) == sums)
            let post = try #require(hook.requests.first)
            #expect(post.head.hasPrefix("POST /services/T0/geheim HTTP/1.1"))
            #expect(post.header("Content-Type") == "application/json; charset=utf-8")
            let text = try #require(try JSONSerialization.jsonObject(with: Data(post.body)) as? [String: Any])["text"]
            #expect((text as? String)?.contains("MRR: *1,000.00 USD*") == true)
        }
    }

    @Test(.hangLimit) func `a notified recipient is not notified again, but by a new issue or on demand`() async throws
    {
        try await World.with { world in
            #expect(try await world.send([]).issue == nil, "nothing was issued yet")
            try await world.issue()
            let local = try await LocalMailServer()
            let (ana, mail) = (try World.email("ana@example.com"), try World.mail(local))
            #expect(try await world.send([ana], mail: mail).delivered == ["ana@example.com"])
            #expect(try await world.send([ana], mail: mail).delivered == [])
            #expect(try await world.send([ana], mail: mail, again: true).delivered == ["ana@example.com"])
            try await world.issue(seal: 8)
            #expect(try await world.send([ana], mail: mail).delivered == ["ana@example.com"])
            let ids = try local.mails.flatMap { $0.header("Message-ID") }
            #expect(Set(ids).count == 3 && ids.allSatisfy { $0.wholeMatch(of: /<[0-9a-f]{32}@acme\.com>/) != nil })
            #expect(
                try await world.ledger() == [
                    "ana@example.com|digest|delivered|2|2|", "ana@example.com|digest|delivered|1|1|",
                ])
        }
    }

    /// The server took the mail, and the word of it was lost: the mail that follows is the same one.
    @Test(.hangLimit) func `a mail that may have been taken has the same id when it is sent again`() async throws {
        try await World.with { world in
            try await world.issue()
            let local = try await LocalMailServer()
            let (ana, mail) = (try World.email("ana@example.com"), try World.mail(local))
            _ = try await world.send([ana], mail: mail)
            try await world.connection.script("update subledger.report_deliveries set state = 'sending'")
            _ = try await world.send([ana], mail: mail)
            let ids = try local.mails.flatMap { $0.header("Message-ID") }
            #expect(ids.count == 2 && Set(ids).count == 1)
        }
    }

    @Test(
        .hangLimit,
        arguments: [
            ["RCPT": ["451 later", "421 closing"]], ["MESSAGE": ["452 full", "DROP"]],
            ["CONNECT": ["421 busy", "554 away"]],
        ])
    func `a mail server's trouble is waited out within the call`(_ answers: [String: [String]]) async throws {
        try await World.with { world in
            try await world.issue()
            let local = try await LocalMailServer(answers: answers)
            let outcome = try await world.send([try World.email("ana@example.com")], mail: try World.mail(local))
            let isOver = answers["CONNECT"] != nil
            #expect(outcome.delivered == (isOver ? [] : ["ana@example.com"]))
            #expect(try local.mails.count == (isOver ? 0 : 1))
            let ledger = try await world.ledger()
            #expect(
                ledger == [
                    isOver
                        ? "ana@example.com|digest|failed|2|0|127.0.0.1 refuses the mail with 554; check the addresses, "
                            + "and what the server lets this account send"
                        : "ana@example.com|digest|delivered|3|1|"
                ])
        }
    }

    @Test(.hangLimit) func `a refused recipient delays no other, and is tried again by the next call`() async throws {
        try await World.with { world in
            try await world.issue()
            let local = try await LocalMailServer(answers: ["RCPT gone@example.com": ["550 no such user"]])
            let recipients = try ["gone@example.com", "ana@example.com"].map { try World.email($0) }
            let first = try await world.send(recipients, mail: try World.mail(local))
            #expect(first.delivered == ["ana@example.com"])
            #expect(first.failures.map(\.recipient) == ["gone@example.com"])
            #expect(first.failures.first?.reason.contains("with 550") == true)
            #expect(try await world.ledger().last?.hasPrefix("gone@example.com|digest|failed|1|0|") == true)
            let second = try await world.send(recipients, mail: try World.mail(local))
            #expect(second.delivered == ["gone@example.com"] && second.failures == [])
            #expect(try local.mails.map(\.to) == [["ana@example.com"], ["gone@example.com"]])
        }
    }

    @Test(.hangLimit) func `a webhook's trouble is waited out, a refusal is not`() async throws {
        try await World.with { world in
            try await world.issue()
            let busy = try LoopbackServer { _, number in .init(number < 3 ? 503 : 200) }
            let gone = try LoopbackServer { _, _ in .init(404) }
            let limited = try LoopbackServer { _, number in
                number == 1 ? .init(429, headers: [("Retry-After", "0")]) : .init()
            }
            let outcome = try await world.send([
                World.chat(busy.url + "/a", name: "busy"), World.chat(gone.url + "/b", name: "gone"),
                World.chat(limited.url + "/c", name: "limited"),
            ])
            #expect(outcome.delivered == ["busy", "limited"] && outcome.failures.map(\.recipient) == ["gone"])
            #expect([busy, gone, limited].map(\.requests.count) == [3, 1, 2])
        }
    }

    @Test(.hangLimit) func `a server that says when is not asked sooner by a later call`() async throws {
        try await World.with { world in
            try await world.issue()
            let hook = try LoopbackServer { _, number in
                number == 1 ? .init(429, headers: [("Retry-After", "3600")]) : .init()
            }
            let chat = World.chat(hook.url + "/x")
            for _ in 1...2 {
                let outcome = try await world.send([chat])
                #expect(outcome.failures.map(\.recipient) == ["chat"] && hook.requests.count == 1)
            }
            try await world.connection.script(
                "update subledger.report_deliveries set next_try_at = clock_timestamp() - interval '1 second'")
            #expect(try await world.send([chat]).delivered == ["chat"])
        }
    }

    /// The first one is still waiting for its answer when the other call begins and ends.
    @Test(.hangLimit) func `of two calls at once one sends, the other says so`() async throws {
        try await World.with { world in
            try await world.issue()
            let gate = DispatchSemaphore(value: 0)
            let hook = try LoopbackServer { _, _ in
                gate.wait()
                return .init()
            }
            let chat = World.chat(hook.url + "/x")
            let first = Task { try await world.send([chat]) }
            try await waitUntil { hook.requests.count == 1 }
            await #expect(throws: PipelineError.self) { try await world.send([chat]) }
            gate.signal()
            #expect(try await first.value.delivered == ["chat"])
            #expect(try await world.send([chat]).delivered == [])
            #expect(hook.requests.count == 1)
        }
    }

    /// Any role of the database may take advisory locks, of whatever number.
    @Test(.hangLimit) func `a reader that takes every advisory lock stops no sending`() async throws {
        try await World.with { world in
            try await world.issue()
            let reader = "reader_of_locks"
            try await world.connection.script("create role \(reader) login")
            let other = try await PostgresConnection.connect(world.server.with(user: reader))
            try await other.script(
                """
                select pg_advisory_lock(hashtext('subledger.send'));
                select pg_advisory_lock(hashtext('subledger.send'), 0), pg_advisory_lock(0, hashtext('subledger.send'))
                """)
            let hook = try LoopbackServer { _, _ in .init() }
            #expect(try await world.send([World.chat(hook.url + "/x")]).delivered == ["chat"])
            let refused = await #expect(throws: PostgresError.self) {
                try await other.script("select from subledger.report_sending for update")
            }
            #expect(refused?.sqlState == "42501")
            await other.close()
            try await world.connection.script("drop role \(reader)")
        }
    }

    /// Of the session that sent there is nothing left but its row; its process id may be another session's by now.
    @Test(.hangLimit) func `a call whose session is gone stops no later one`() async throws {
        try await World.with { world in
            try await world.issue()
            let hook = try LoopbackServer { _, _ in .init() }
            for (number, gone) in ["(select max(pid) + 1 from pg_stat_activity)", "pg_backend_pid()"].enumerated() {
                try await world.connection.script(
                    """
                    update subledger.report_sending set
                        server_process = \(gone), session_started_at = '2026-01-01 00:00Z'
                    """)
                let chat = World.chat(hook.url + "/x", name: "chat \(number)")
                #expect(try await world.send([chat]).delivered == [chat.name])
            }
        }
    }

    @Test(.hangLimit) func `of many calls at the same instant each message goes out once`() async throws {
        try await World.with { world in
            try await world.issue()
            let hook = try LoopbackServer { _, _ in .init() }
            let recipients = (1...4).map { World.chat(hook.url + "/\($0)", name: "chat \($0)") }
            let delivered = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 1...6 {
                    group.addTask {
                        do {
                            return try await world.send(recipients).delivered.count
                        } catch let error as PipelineError where error.kind == .alreadyRunning {
                            return 0
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(delivered == 4 && hook.requests.count == 4)
        }
    }

    @Test(.hangLimit) func `a report that was changed since it was issued is not sent`() async throws {
        try await World.with { world in
            let folder = try await world.issue()
            let hook = try LoopbackServer { _, _ in .init() }
            let summary = folder + "/summary.json"
            let forged = try String(contentsOfFile: summary, encoding: .utf8).replacing("1,000.00", with: "9,000.00")
            try forged.write(toFile: summary, atomically: true, encoding: .utf8)
            let error = await #expect(throws: ReportError.self) { try await world.send([World.chat(hook.url + "/x")]) }
            #expect(error?.description.contains("summary.json was changed since it was issued") == true)
            #expect(hook.requests.isEmpty)
            #expect(try await world.ledger() == [])
        }
    }

    @Test(.hangLimit) func `a recipient of alerts alone gets alerts, and learns of a store that is no longer read`()
        async throws
    {
        try await World.with { world in
            try await world.issue()
            let hook = try LoopbackServer { _, _ in .init() }
            let recipients = [
                World.chat(hook.url + "/all", name: "all"),
                World.chat(hook.url + "/alerts", name: "alerts", onlyAlerts: true),
            ]
            #expect(try await world.send(recipients).delivered == ["all"])
            #expect(try await world.send(recipients, after: 36).delivered == [])
            #expect(try await world.send(recipients, after: 37).delivered == ["alerts", "all"])
            #expect(try await world.send(recipients, after: 60).delivered == [])
            #expect(
                try await world.ledger() == [
                    "alerts|digest|delivered|1|1|", "alerts|stale|delivered|1|1|", "all|digest|delivered|1|1|",
                    "all|stale|delivered|1|1|",
                ])
            let last = try #require(hook.requests.last)
            #expect(String(decoding: last.body, as: UTF8.self).contains("acme-ios was last read 37 hours ago"))
            // The next night was sealed, and its report is not there.
            try await world.connection.script(
                """
                insert into subledger.runs (
                    job, business_date, logical_now, finished_at, sealed_at, seal, outcome, host, process_id, report_due)
                values ('nightly', '2026-04-01', '2026-04-02', now(), now(), 8, 'failed', 'here', 1, true)
                """)
            #expect(try await world.send(recipients, after: 61).delivered == ["alerts", "all"])
            let missing = String(decoding: try #require(hook.requests.last).body, as: UTF8.self)
            #expect(missing.contains("A report is owed and missing: 2026-04-01. See subledger status"), "\(missing)")
            #expect(try await world.send(recipients, after: 62).delivered == [])
        }
    }

    /// Two words of the issue's night and one of an intake since the issue before it; nothing older.
    @Test(.hangLimit) func `unknown words are counted since the issue before`() async throws {
        try await World.with { world in
            try await world.issue(seal: 7, counts: #"{"unknown.status": 5}"#)
            try await world.connection.script(
                """
                insert into subledger.runs (
                    run_id, job, business_date, logical_now, finished_at, sealed_at, seal, outcome, host, process_id, counts)
                overriding system value
                values (8, 'intake', '2026-03-31', '\(Summaries.night)', now(), now(), 8, 'done', 'here', 1,
                    '{"unknown_value.offerType=9": 1, "checked": 40}')
                """)
            try await world.issue(seal: 9, counts: #"{"unknown.status": 2, "due": 7}"#)
            let hook = try LoopbackServer { _, _ in .init() }
            _ = try await world.send([World.chat(hook.url + "/x", onlyAlerts: true)])
            let body = String(decoding: try #require(hook.requests.first).body, as: UTF8.self)
            #expect(body.contains("Words of the stores that this version does not know: 3. See"))
        }
    }

    @Test(.hangLimit) func `no secret is in a log, an error or the ledger`() async throws {
        try await World.with { world in
            try await world.issue()
            let hooks = try [500, 404, 302].map { status in try LoopbackServer { _, _ in .init(status, "geheim") } }
            let recipients = hooks.enumerated().map {
                World.chat($1.url + "/services/geheim?t=geheim", name: "chat \($0)")
            }
            let unreachable = World.chat("http://127.0.0.1:1/services/geheim", name: "nobody")
            let wrong = World.chat("http://elsewhere.example/services/geheim", name: "wrong")
            let outcome = try await world.send(recipients + [unreachable, wrong])
            #expect(outcome.failures.count == 5)
            let said = world.log.lines + outcome.failures.map(\.reason) + (try await world.ledger())
            #expect(said.count > 10 && !said.contains { $0.contains("geheim") })
            #expect(!"\(recipients)".contains("geheim"))
        }
    }
}
