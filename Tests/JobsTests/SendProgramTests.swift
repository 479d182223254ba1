// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TestSupport

/// The built program reports to a mail server and a chat what it issued.
@Suite struct SendProgramTests {
    private static func subledger(_ folder: ConfigurationFolder, _ arguments: String...) async throws
        -> CommandLineRun.Result
    {
        try await CommandLineRun(
            product: "subledger", arguments: arguments + ["--now", "2026-03-02T02:15:00Z"],
            environment: ["SUBLEDGER_CONFIG": ""], folder: folder.path
        ).run()
    }

    private static func yaml(_ local: LocalMailServer) -> String {
        ConfigurationFolder.good + """
            reports:
              language: ja
              send:
                retry_for: 20s
                smtp: { url: "smtp://localhost:\(local.port)", from: reports@acme.com, username: robot,
                  password_file: smtp.password, ca_file: mail.pem }
                link: https://bi.acme.com/reports
                recipients:
                  - { email: ana@example.com, attach: [html, xlsx] }
                  - { name: chat, webhook_file: chat.url }

            """
    }

    @Test(.hangLimit) func `what was issued is sent over TLS, once, and what fails is partial`() async throws {
        let local = try await LocalMailServer(
            .starttls, login: ("robot", "sesame"), answers: ["RCPT": ["451 greylisted"]])
        let hook = try LoopbackServer { _, number in .init(number < 50 ? 500 : 200) }
        try await ConfigurationFolder.with(Self.yaml(local)) { folder in
            try folder.write("sesame", to: "smtp.password")
            try folder.write(try String(contentsOfFile: local.authorityFile, encoding: .utf8), to: "mail.pem")
            try folder.write(hook.url + "/services/sesame", to: "chat.url")
            let early = try await Self.subledger(folder, "report", "--send")
            #expect(early.exitCode == 0 && early.standardOutput == "")
            #expect(early.standardError.contains("nothing to send: no report was issued yet"))
            let issued = try await Self.subledger(folder, "report", "--quiet")
            #expect(issued.exitCode == 0, "\(issued.standardError)")
            let issue = folder.path + "/reports/2026-03-01"

            let first = try await Self.subledger(folder, "report", "--send", "--verbose")
            #expect(first.exitCode == 2)
            #expect(
                first.standardOutput == """
                    \(issue): sent to ana@example.com
                    \(issue): not sent to chat: the webhook answers 500; try again later. The next report --send tries again

                    """)
            let mail = try #require(try local.mails.first)
            #expect(mail.secure && mail.to == ["ana@example.com"])
            #expect(mail.header("Subject") == ["売上と解約 2026-03-01: 整合・欠落なし"])
            #expect(mail.parts[2].text.contains("https://bi.acme.com/reports/2026-03-01/report.html"))
            #expect(mail.parts.suffix(2).map(\.name) == ["report.html", "report.xlsx"])
            #expect(!(first.standardOutput + first.standardError).contains("sesame"))

            try folder.write(hook.url + "/services/other", to: "chat.url")
            while hook.requests.count < 50 { _ = try await Self.post(hook) }
            let second = try await Self.subledger(folder, "report", "--send", "--quiet")
            #expect(second.exitCode == 0 && second.standardOutput == "\(issue): sent to chat\n")
            #expect(hook.requests.last?.path == "/services/other")
            let third = try await Self.subledger(folder, "report", "--send")
            #expect(third.exitCode == 0 && third.standardOutput == "")
            #expect(third.standardError.contains("nothing to send: \(issue) was sent to everybody whom it concerns"))
            let quiet = try await Self.subledger(folder, "report", "--send", "--quiet")
            #expect(quiet.exitCode == 0 && quiet.standardOutput == "" && quiet.standardError == "")
            #expect(try local.mails.count == 1)
        }
    }

    /// Uses up an answer.
    private static func post(_ hook: LoopbackServer) async throws -> CommandLineRun.Result {
        try await CommandLineRun(product: "/usr/bin/curl", arguments: ["-s", "-d", "{}", hook.url]).run()
    }

    @Test(
        .hangLimit,
        arguments: [
            ["report", "--send", "--as-of", "2026-03-01T00:00:00Z"], ["report", "--again"],
            ["report", "--send", "--verify"],
            ["report", "--send"],
        ])
    func `sending without recipients, or with what makes reports, is wrong usage`(_ arguments: [String]) async throws {
        try await ConfigurationFolder.with { folder in
            let before = folder.contents
            let run = try await CommandLineRun(
                product: "subledger", arguments: arguments, environment: ["SUBLEDGER_CONFIG": ""], folder: folder.path
            ).run()
            #expect(run.exitCode == 64 && run.standardOutput == "" && folder.contents == before)
        }
    }
}
