// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TestSupport

@testable import subledger

/// `subledger intake` as a person or cron runs it.
@Suite struct IntakeProgramTests {
    private func subledger(_ arguments: [String], in folder: ConfigurationFolder) async throws
        -> CommandLineRun.Result
    {
        try await CommandLineRun(
            product: "subledger", arguments: arguments, environment: ["SUBLEDGER_CONFIG": ""], folder: folder.path
        ).run()
    }

    @Test func `A1: an intake with nothing to do is done, and says so for each app`() async throws {
        try await ConfigurationFolder.with { folder in
            let run = try await subledger(["intake", "--now", "2026-03-10T12:00:00Z"], in: folder)
            #expect(run.exitCode == 0, "\(run.standardError)")
            #expect(run.standardOutput == "acme-ios: 0 accepted (0 new), 0 refused, 0 waiting\n")
            let earlier = try await subledger(["intake", "--quiet", "--now", "2026-03-10T11:00:00Z"], in: folder)
            #expect(earlier.exitCode == 64)
        }
    }

    @Test(arguments: [["--app", "nobody"], ["--nwo"]])
    func `A1: wrong usage of intake exits 64 and changes nothing`(arguments: [String]) async throws {
        try await ConfigurationFolder.with { folder in
            let before = folder.contents
            let run = try await subledger(["intake"] + arguments, in: folder)
            #expect(run.exitCode == 64)
            #expect(run.standardOutput == "")
            #expect(folder.contents == before)
        }
    }

    @Test
    func `A1: a refused purchase is named with its reason, and an unreachable store fails the run`() async throws {
        let yaml = ConfigurationFolder.good.replacing(
            "    key_id:", with: "    base_url: https://127.0.0.1:1\n    key_id:")
        try await ConfigurationFolder.with(yaml) { folder in
            #expect(try await subledger(["migrate", "--quiet"], in: folder).exitCode == 0)
            #expect(try await subledger(["db", "start", "--quiet"], in: folder).exitCode == 0)
            let server = try await subledger(["db", "start", "--quiet"], in: folder).standardOutput
            let target = try #require(server.split(separator: "\"").dropFirst().first.map(String.init))
            let fill = try await CommandLineRun(
                product: "/usr/bin/psql",
                arguments: [
                    target, "-c",
                    """
                    insert into subledger.purchase_inbox (app_id, kind, payload) values
                        ('acme-ios', 'signed_transaction', 'canary.canary.canary'), ('acme-ios', 'play_token', 'canary')
                    """,
                ]
            ).run()
            #expect(fill.exitCode == 0, "\(fill.standardError)")
            let refused = try await subledger(["intake", "--quiet"], in: folder)
            #expect(refused.exitCode == 0, "\(refused.standardError)")
            #expect(refused.standardOutput.hasPrefix("acme-ios: 0 accepted (0 new), 2 refused, 0 waiting\n"))
            #expect(refused.standardOutput.contains("purchase 2 refused: A purchase of the kind play_token"))
            #expect(!(refused.standardOutput + refused.standardError).contains("canary"))
            let more = try await CommandLineRun(
                product: "/usr/bin/psql",
                arguments: [
                    target, "-c",
                    """
                    insert into subledger.purchase_inbox (app_id, kind, payload)
                    values ('acme-ios', 'original_transaction_id', '2001')
                    """,
                ]
            ).run()
            #expect(more.exitCode == 0, "\(more.standardError)")
            let silent = try await subledger(["intake", "--quiet"], in: folder)
            #expect(silent.exitCode == 75)
            #expect(silent.standardOutput.contains("0 accepted (0 new), 0 refused, 1 waiting"))
            #expect(silent.standardOutput.contains("its store answered nothing; 1 purchases wait"))
            #expect(try await subledger(["db", "stop", "--quiet"], in: folder).exitCode == 0)
        }
    }
}
