// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Model
import Postgres
import Testing
import TestSupport

/// The built program as a person or cron runs it.
@Suite struct ProgramTests {
    /// Unset, so that a machine's own configuration does not step in.
    private static let environment = ["SUBLEDGER_CONFIG": ""]

    private func subledger(
        _ arguments: [String], in folder: ConfigurationFolder, standardInput: String = ""
    ) async throws -> CommandLineRun.Result {
        try await CommandLineRun(
            product: "subledger", arguments: arguments, environment: Self.environment, folder: folder.path,
            standardInput: standardInput
        ).run()
    }

    @Test(arguments: [
        ["nightly", "--nwo", "2026-03-01T00:00:00Z"], ["nightly", "--now", "yesterday"], ["nightly", "--workers", "0"],
        ["unknown"], ["import", "subscriptions"], ["import", "products", "x.csv"], ["report", "--period", "soon"],
        ["nightly", "--app", "nobody"], ["nightly", "--config", "elsewhere.yaml"],
        ["import", "subscriptions", "nowhere.csv"], ["nightly", "--quiet", "--verbose"],
        ["nightly", "--now", "9999-12-31T00:00:00Z"], ["status", "--now", "0000-06-01T00:00:00Z"],
        ["report", "--as-of", "9999-01-01T00:00:00Z"], ["report", "--csv-profile", "excel:xx"],
        ["report", "--csv-profile", "word"], ["report", "--out", "reports/2026-03-01"],
        ["report", "--out", "exports", "--verify"], ["report", "--rebuild", "--out", "exports"], ["report", "exports"],
    ])
    func `wrong usage exits 64 and changes nothing`(_ arguments: [String]) async throws {
        try await ConfigurationFolder.with { folder in
            let before = folder.contents
            let run = try await subledger(arguments, in: folder)
            #expect(run.exitCode == 64)
            #expect(run.standardOutput == "")
            #expect(run.standardError != "")
            #expect(folder.contents == before)
        }
    }

    @Test(arguments: [
        ["nightly"], ["import", "subscriptions", "-"], ["status"], ["migrate"], ["db", "start"], ["report"],
    ])
    func `a wrong configuration exits 64 and changes nothing`(_ arguments: [String]) async throws {
        let yaml = ConfigurationFolder.good.replacing("key_id:", with: "keyid:")
        try await ConfigurationFolder.with(yaml) { folder in
            let before = folder.contents
            let run = try await subledger(arguments, in: folder)
            #expect(run.exitCode == 64)
            #expect(run.standardOutput == "")
            #expect(
                run.standardError == """
                    subledger.yaml:2: apps[0].key_id is missing
                    subledger.yaml:7: apps[0].keyid is no known key; did you mean key_id?

                    """)
            #expect(folder.contents == before)
        }
    }

    @Test func `a configured database that cannot be reached is tried for a while, then exits 75`() async throws {
        let yaml =
            "database: { url: 'postgresql://u:geheim@127.0.0.1:1/b', retry_for: 1s }\n" + ConfigurationFolder.good
        try await ConfigurationFolder.with(yaml) { folder in
            let before = folder.contents
            let run = try await subledger(["nightly"], in: folder)
            #expect(run.exitCode == 75)
            let lines = run.standardError.split(separator: "\n")
            #expect(lines.count == 2 && lines[0].contains("trying again for 1 s"), "\(run.standardError)")
            #expect(lines.last?.hasPrefix("subledger: cannot connect to host=127.0.0.1") == true)
            #expect(!run.standardError.contains("geheim"))
            #expect(folder.contents == before)
        }
    }

    @Test func `a database that refuses, is not there or is named wrongly exits 64 at once`() async throws {
        try await withTestDatabase { _, server in
            let wrong = [
                "\(server.with(database: "no_such_database"))": "does not exist",
                "\(server)".replacing(/user=\w+/, with: "user=no_such_role"): "does not exist",
                "\(server) sslmode=wordy": "invalid sslmode value",
            ]
            for (url, reason) in wrong {
                let yaml = "database: { url: '\(url)' }\n" + ConfigurationFolder.good
                try await ConfigurationFolder.with(yaml) { folder in
                    let run = try await subledger(["nightly"], in: folder)
                    #expect(run.exitCode == 64, "\(url)")
                    #expect(run.standardError.hasPrefix("subledger: database.url: cannot connect to"))
                    #expect(run.standardError.contains(reason))
                    #expect(run.standardError.split(separator: "\n").count == 1)
                }
            }
        }
    }

    @Test func `a clock in the future exits 64 and changes nothing, except where it is simulated`() async throws {
        let real = ConfigurationFolder.good.replacing("clock: simulated\n", with: "")
        let arguments = ["import", "subscriptions", "-", "--quiet", "--now", "2136-03-01T00:00:00Z"]
        try await ConfigurationFolder.with(real) { folder in
            let before = folder.contents
            let run = try await subledger(arguments, in: folder, standardInput: Self.purchase)
            #expect(run.exitCode == 64)
            #expect(run.standardError.contains("clock: simulated"))
            #expect(folder.contents == before)
        }
        try await ConfigurationFolder.with { folder in
            let run = try await subledger(arguments, in: folder, standardInput: Self.purchase)
            #expect(run.exitCode == 0, "\(run.standardError)")
        }
    }

    @Test func `what only looks needs no key file`() async throws {
        try await ConfigurationFolder.with { folder in
            let imported = try await subledger(
                ["import", "subscriptions", "-", "--quiet"], in: folder, standardInput: Self.purchase)
            #expect(imported.exitCode == 0)
            for name in ["key.p8", "root.cer"] { try FileManager.default.removeItem(atPath: folder.path + "/" + name) }
            for job in [["status"], ["explain", "1"]] {
                let run = try await subledger(job + ["--quiet"], in: folder)
                #expect(run.exitCode == 0, "\(run.standardError)")
            }
            #expect(try await subledger(["nightly"], in: folder).exitCode == 64)
        }
    }

    @Test func `a result that a full disk does not take is no success`() async throws {
        try await ConfigurationFolder.with { folder in
            _ = try await subledger(["migrate", "--quiet"], in: folder)
            let program = try InstalledProgram.path()
            for (job, sentence) in [
                ("status --quiet", "subledger: the result could not be written to stdout: No space left on device\n"),
                ("notifications export --quiet", "subledger: stdout cannot be written: No space left on device\n"),
            ] {
                let run = try await CommandLineRun(
                    product: "/bin/sh", arguments: ["-c", "exec \"$0\" \(job) >/dev/full", program],
                    environment: Self.environment, folder: folder.path
                ).run()
                #expect(run.exitCode == 1)
                #expect(run.standardError == sentence)
            }
            let whole = try await CommandLineRun(
                product: "/bin/sh", arguments: ["-c", "exec \"$0\" notifications export --out /dev/full/x", program],
                environment: Self.environment, folder: folder.path
            ).run()
            #expect(whole.exitCode == 1)
            #expect(whole.standardError.contains("subledger: /dev/full/x.part cannot be written: Not a directory"))
        }
    }

    @Test func `a folder that cannot be created is reported in words`() async throws {
        try await ConfigurationFolder.with("data: /dev/null/data\n" + ConfigurationFolder.good) { folder in
            let run = try await subledger(["migrate", "--quiet"], in: folder)
            #expect(run.exitCode == 1)
            #expect(
                !run.standardError.contains("Error Domain") && !run.standardError.contains("could not be completed"))
            #expect(run.standardError.contains("Not a directory"), "\(run.standardError)")
        }
    }

    @Test func `what only looks makes no database`() async throws {
        try await ConfigurationFolder.with { folder in
            let before = folder.contents
            for job in [["status"], ["explain", "1000"]] {
                let run = try await subledger(job, in: folder)
                #expect(run.exitCode == 1)
                #expect(
                    run.standardError == "subledger: there is no database yet: run subledger import or nightly first\n")
            }
            #expect(folder.contents == before)
        }
    }

    @Test func `a private database is made, filled, asked and stopped`() async throws {
        try await ConfigurationFolder.with { folder in
            let lines = """
                {"app_id":"acme-ios","store_key":"1000000481802759","account_id":"a1"}
                {"app_id":"nope","store_key":"1"}

                """
            let imported = try await subledger(
                ["import", "subscriptions", "-", "--quiet", "--now", "2026-03-01T02:15:00Z"], in: folder,
                standardInput: lines)
            #expect(imported.exitCode == 2)
            #expect(imported.standardOutput == "1 lines taken (1 new subscriptions, 0 known), 1 refused\n")
            #expect(imported.standardError == "stdin:2: unknown app `nope`\n")
            #expect(!folder.hasServer, "the job that started the server stops it")

            let status = try await subledger(["status", "--json", "--now", "2026-03-01T02:20:00Z"], in: folder)
            #expect(status.exitCode == 0)
            let json = try #require(
                try JSONSerialization.jsonObject(with: Data(status.standardOutput.utf8)) as? [String: Any])
            let app = try #require((json["apps"] as? [[String: Any]])?.first)
            #expect(app["app_id"] as? String == "acme-ios")
            #expect(app["due"] as? Int == 1)
            #expect((json["runs"] as? [[String: Any]])?.first?["outcome"] as? String == "partial")

            for id in ["1000000481802759", "7928393119289343153", "a1"] {
                let story = try await subledger(["explain", id, "--quiet"], in: folder)
                #expect(story.exitCode == 0)
                #expect(story.standardOutput.hasPrefix("Subscription 7928393119289343153\n"))
            }
            #expect(try await subledger(["explain", "unheard-of", "--quiet"], in: folder).exitCode == 1)
        }
    }

    @Test func `a server that was started by hand stays until it is stopped by hand`() async throws {
        try await ConfigurationFolder.with { folder in
            let start = try await subledger(["db", "start", "--quiet"], in: folder)
            #expect(start.exitCode == 0)
            #expect(start.standardOutput.hasPrefix("psql \"host="))
            #expect(try await subledger(["migrate", "--quiet"], in: folder).exitCode == 0)
            #expect(folder.hasServer)
            #expect(try await subledger(["db", "stop", "--quiet"], in: folder).exitCode == 0)
            #expect(!folder.hasServer)
        }
    }

    /// A schedule that lost its words must not look like a night.
    @Test func `no job at all is wrong usage`() async throws {
        let run = try await CommandLineRun(product: "subledger", arguments: []).run()
        #expect(run.exitCode == 64)
        #expect(run.standardOutput == "" && run.standardError.contains("name a job"))
    }

    private static let purchase = "app_id,store_key\nacme-ios,1\n"

    @Test(arguments: [(SIGHUP, 129), (SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `a signal ends a night with its code, and leaves nothing running`(_ signal: Int32, _ status: Int32)
        async throws
    {
        let silence = try SilentServer()
        let yaml = ConfigurationFolder.good.replacing(
            "    key_id:", with: "    base_url: https://127.0.0.1:\(silence.port)\n    key_id:")
        try await ConfigurationFolder.with(yaml) { folder in
            _ = try await subledger(
                ["import", "subscriptions", "-"], in: folder, standardInput: Self.purchase)
            let night = try CommandLineRun(
                product: "subledger", arguments: ["nightly"], environment: Self.environment, folder: folder.path
            ).start()
            try await silence.waitForCaller()
            #expect(kill(night.processID, signal) == 0)
            let run = await night.result()
            #expect(run.exitCode == status)
            #expect(run.standardError.contains("interrupted; what was done is kept"))
            #expect(!folder.hasServer)
            let status = try await subledger(["status", "--quiet"], in: folder)
            #expect(status.standardOutput.contains("failed: interrupted"), "\(status.standardOutput)")
            // Free at once: no program waits for the lease of a leader that said it was leaving.
            let next = try await subledger(["import", "subscriptions", "-"], in: folder, standardInput: Self.purchase)
            #expect(next.exitCode == 0, "\(next.standardError)")
        }
    }
}

extension ConfigurationFolder {
    /// A private server runs on this folder's data.
    ///
    /// The cluster may lie elsewhere, its socket's folder never does.
    fileprivate var hasServer: Bool {
        let inside = FileManager.default.fileExists(atPath: path + "/data/postgres/postmaster.pid")
        guard let moved = try? String(contentsOfFile: path + "/data/postgres.location", encoding: .utf8) else {
            return inside
        }
        return FileManager.default.fileExists(atPath: moved.trimmingCharacters(in: .newlines) + "/postmaster.pid")
    }
}
