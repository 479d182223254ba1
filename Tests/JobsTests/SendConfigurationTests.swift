// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import HTTP
import Model
import Testing

@testable import subledger

/// `reports.send`, right and wrong, each mistake with its line.
@Suite struct SendConfigurationTests {
    /// Its first line is line 13 of the file.
    private static func yaml(_ send: String) -> String {
        ConfigurationFolder.good + "reports:\n  send:\n"
            + send.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n") + "\n"
    }

    private static let whole = """
        smtp: { url: "smtp://mail.acme.com", from: reports@acme.com, username: robot, password_file: smtp.password }
        link: https://bi.acme.com/reports/
        retry_for: 5m
        recipients:
          - email: ana@acme.com
            attach: [xlsx, html]
          - { name: finance chat, webhook_file: chat.url, only_alerts: true }
        alerts: { stale_after: 2d, refunds_above: 300%, churn_shift: off, net_revenue_below: 40%, mrr_below: 95%,
          unknown_values: 5, missing_prices: off }
        """

    private static func load(_ send: String, files: [String: String] = [:]) async throws
        -> Result<DeliverySettings?, UsageError>
    {
        try await ConfigurationFolder.with(yaml(send)) { folder in
            for (name, text) in files { try folder.write(text, to: name) }
            return folder.load(reading: .ofRecipients).map(\.reports.delivery)
        }
    }

    @Test func `every key is read`() async throws {
        let files = ["smtp.password": "geheim\n", "chat.url": "https://hooks.example.com/services/T0/B0/x\n"]
        let settings = try #require(try await Self.load(Self.whole, files: files).get())
        #expect(settings.mail?.server.password == "geheim" && settings.mail?.server.username == "robot")
        #expect(settings.mail?.from == MailAddress("reports@acme.com"))
        #expect(settings.link == "https://bi.acme.com/reports" && settings.retryFor == .minutes(5))
        #expect(settings.recipients.map(\.name) == ["ana@acme.com", "finance chat"])
        #expect(settings.recipients.map(\.onlyAlerts) == [false, true])
        guard case .email(_, let files) = settings.recipients[0].channel,
            case .webhook(let url) = settings.recipients[1].channel
        else {
            Issue.record("the first is an address, the second a webhook")
            return
        }
        #expect(files == [.html, .xlsx] && url.reveal() == "https://hooks.example.com/services/T0/B0/x")
        #expect(settings.thresholds.staleAfter == .days(2) && settings.thresholds.refundsAbove == 300)
        #expect(settings.thresholds.churnShift == nil && settings.thresholds.netRevenueBelow == 40)
        #expect(settings.thresholds.mrrBelow == 95 && settings.thresholds.unknownValues == 5)
        #expect(settings.thresholds.missingPrices == nil)
    }

    @Test func `what is left out has its default`() async throws {
        let settings = try #require(
            try await Self.load(
                "recipients: [{ name: chat, webhook_file: chat.url }]", files: ["chat.url": "https://x.example/y"]
            ).get())
        #expect(settings.mail == nil && settings.link == nil && settings.retryFor == .minutes(2))
        #expect(settings.thresholds == AlertThresholds())
        #expect(settings.thresholds.staleAfter == .hours(36) && settings.thresholds.refundsAbove == 200)
        #expect(settings.thresholds.churnShift == 20 && settings.thresholds.netRevenueBelow == 50)
        #expect(settings.thresholds.mrrBelow == 90 && settings.thresholds.unknownValues == 1)
        #expect(settings.thresholds.missingPrices == 1)
    }

    /// A night never waits for a chat.
    @Test func `no other job needs the secrets of recipients`() async throws {
        try await ConfigurationFolder.with(Self.yaml(Self.whole)) { folder in
            #expect(throws: Never.self) { try folder.load().get() }
            #expect(
                folder.load(reading: .ofRecipients).lines == [
                    "subledger.yaml:13: reports.send.smtp.password_file names smtp.password, which is not there",
                    "subledger.yaml:19: reports.send.recipients[1].webhook_file names chat.url, which is not there",
                ])
        }
    }

    @Test func `the job that sends needs no key of a store`() async throws {
        try await ConfigurationFolder.with { folder in
            try FileManager.default.removeItem(atPath: folder.path + "/key.p8")
            #expect(throws: Never.self) { try folder.load(reading: .ofRecipients).get() }
        }
    }

    private static let smtp = "smtp: { url: \"smtps://mail.acme.com\", from: reports@acme.com }\n"

    @Test(
        arguments: [
            (
                "smtp: {}\nrecipients: []",
                [
                    "13: reports.send.smtp.url is missing", "13: reports.send.smtp.from is missing",
                    "14: reports.send.recipients names nobody",
                ]
            ),
            ("link: https://x.example", ["12: reports.send.recipients is missing: name at least one"]),
            ("recipients: [{ email: ana@acme.com }]", ["13: reports.send.recipients[0].email needs reports.send.smtp"]),
            (
                smtp + "recipients:\n  - email: \"ana@acme.com>\\r\\nBcc: eve@acme.com\"",
                [
                    "15: reports.send.recipients[0].email must be a plain address such as reports@example.com"
                ]
            ),
            (
                smtp + "recipients:\n  - { email: ana@acme.com, attach: [pdf] }",
                [
                    "15: reports.send.recipients[0].attach must be a list of html and xlsx"
                ]
            ),
            (
                smtp + "recipients:\n  - email: ana@acme.com\n  - email: ana@acme.com",
                [
                    "16: reports.send.recipients: ana@acme.com stands twice"
                ]
            ),
            (smtp + "recipients:\n  - webhook_file: chat.url", ["15: reports.send.recipients[0].name is missing"]),
            (
                smtp + "recipients:\n  - { name: a, email: ana@acme.com, webhook_file: chat.url }",
                [
                    "15: reports.send.recipients[0].webhook_file cannot stand beside email: make it a recipient of its own"
                ]
            ),
            (
                smtp + "recipients:\n  - { name: a, webhook_file: plain.url }",
                [
                    "15: reports.send.recipients[0].webhook_file names a file that must hold one https:// URL "
                        + "(http:// only to a loopback host)"
                ]
            ),
            (
                "smtp: { url: \"http://mail.acme.com\", from: a@b, password_file: x }\nrecipients: [{ email: c@d }]",
                [
                    "13: reports.send.smtp.password_file stands without username",
                    "13: reports.send.smtp.url must begin with smtps:// or smtp://",
                ]
            ),
            (
                smtp + "recipients: [{ email: c@d }]\nalerts:\n  refunds_above: 50%\n  mrr_belo: 1%",
                [
                    "16: reports.send.alerts.refunds_above must be a percentage from 100% to 10000%, not `50%`",
                    "17: reports.send.alerts.mrr_belo is no known key; did you mean mrr_below?",
                ]
            ),
        ] as [(String, [String])])
    func `a mistake is named with its line`(_ send: String, _ lines: [String]) async throws {
        let files = ["chat.url": "https://hooks.example.com/x", "plain.url": "http://hooks.example.com/geheim"]
        let found = try await Self.load(send, files: files).lines
        #expect(found.sorted() == lines.map { "subledger.yaml:\($0)" }.sorted())
        #expect(!found.contains { $0.contains("geheim") })
    }
}

extension Result where Failure == UsageError {
    fileprivate var lines: [String] {
        guard case .failure(let error) = self else { return [] }
        return error.lines
    }
}
