// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import TestSupport
import Testing

/// `report --csv-profile`, as a person runs it.
@Suite struct ReportCopiesTests {
    private static func run(_ arguments: [String], in folder: ConfigurationFolder) async throws -> CommandLineRun.Result
    {
        try await CommandLineRun(
            product: "subledger", arguments: ["report", "--quiet", "--csv-profile"] + arguments,
            environment: ["SUBLEDGER_CONFIG": ""], folder: folder.path
        ).run()
    }

    @Test func `the report is issued where it belongs, and its copies are written to the folder that was named`()
        async throws
    {
        try await withTestDatabase { _, server in
            let yaml = "database: { url: '\(server)' }\nreports: { language: ja }\n" + ConfigurationFolder.good
            try await ConfigurationFolder.with(yaml) { folder in
                let clock = ["--now", "2026-03-10T02:00:00Z"]
                for (profile, opening) in [("excel", "\u{FEFF}date,app_id,"), ("excel:de", "\u{FEFF}date;app_id;")] {
                    let run = try await Self.run([profile, "--out", "copies"] + clock, in: folder)
                    #expect(run.exitCode == 0, "\(run.standardError)")
                    let lines = run.standardOutput.split(separator: "\n")
                    #expect(
                        lines.first?.hasPrefix("\(folder.path)/reports/2026-03-09") == true && lines.last == "copies")
                    // As bytes: a text that is read from a file loses its mark.
                    let copy = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/copies/revenue.csv"))
                    #expect(copy.starts(with: opening.utf8) && copy.suffix(2).elementsEqual("\r\n".utf8))
                    let issued = try String(
                        contentsOfFile: "\(folder.path)/reports/latest/revenue.csv", encoding: .utf8)
                    #expect(issued.hasPrefix("date,app_id,"))
                }
                let refused = try await Self.run(["excel", "--out", "reports/latest"] + clock, in: folder)
                #expect(refused.exitCode == 64)
                #expect(
                    refused.standardError == """
                        subledger: --out reports/latest is the folder of an issue, or lies in one, and issues are never \
                        written to again: name another one

                        """)
                let proof = try await CommandLineRun(
                    product: "subledger", arguments: ["report", "--verify", "--quiet"],
                    environment: ["SUBLEDGER_CONFIG": ""], folder: folder.path
                ).run()
                #expect(proof.exitCode == 0, "\(proof.standardOutput)")
            }
        }
    }
}
