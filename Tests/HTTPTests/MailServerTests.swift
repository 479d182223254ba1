// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import TestSupport
import Testing

@testable import HTTP

/// Mails against a real server: encrypted, logged in, whole, and distinguished when they are refused.
@Suite struct MailServerTests {
    private static func message(
        to recipient: String = "ana@example.com", subject: String = "Revenue",
        attachments: [MailMessage.Attachment] = []
    ) throws -> MailMessage {
        MailMessage(
            from: try #require(MailAddress("reports@acme.com")), to: try #require(MailAddress(recipient)),
            subject: subject, id: "abc123", date: 784_111_777, text: "First line\n.\nÜber 100 €, 売上\n",
            html: "<p>100 €</p>\n", attachments: attachments)
    }

    private static func server(
        _ server: LocalMailServer, scheme: String = "smtp", trusts: Bool = false, user: String? = nil,
        password: String? = nil
    ) throws -> MailServer {
        var configuration = try MailServerConfiguration(
            url: "\(scheme)://localhost:\(server.port)", certificateAuthorityFile: trusts ? server.authorityFile : nil)
        (configuration.username, configuration.password) = (user, password)
        return MailServer(configuration, logger: RecordedLog().logger)
    }

    private static func error(_ server: MailServer, _ message: MailMessage) async -> MailError? {
        do throws(MailError) {
            try await server.send(message)
            return nil
        } catch {
            return error
        }
    }

    @Test(.hangLimit) func `a mail arrives as it was written: text, HTML, headers and files`() async throws {
        try await withTemporaryDirectory { folder in
            let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try bytes.write(to: URL(fileURLWithPath: folder + "/book.xlsx"))
            let local = try await LocalMailServer()
            let attachment = MailMessage.Attachment(
                name: "report.xlsx", mediaType: "application/octet-stream", path: folder + "/book.xlsx")
            try await Self.server(local).send(try Self.message(attachments: [attachment]))
            let mail = try #require(try local.mails.first)
            #expect(mail.from == "reports@acme.com" && mail.to == ["ana@example.com"] && mail.defects == [])
            #expect(mail.header("Subject") == ["Revenue"] && mail.header("Message-ID") == ["<abc123@acme.com>"])
            #expect(mail.header("Date") == ["Sun, 06 Nov 1994 08:49:37 +0000"])
            #expect(
                mail.parts.map(\.type) == [
                    "multipart/mixed", "multipart/alternative", "text/plain", "text/html", "application/octet-stream",
                ])
            #expect(mail.parts[2].text == "First line\n.\nÜber 100 €, 売上\n")
            #expect(mail.parts[3].text == "<p>100 €</p>\n")
            #expect(mail.parts[4].name == "report.xlsx")
            let sum = try await CommandLineRun(product: "/usr/bin/sha256sum", arguments: [folder + "/book.xlsx"]).run()
            #expect(sum.standardOutput.hasPrefix(mail.parts[4].sha256))
        }
    }

    @Test(.hangLimit, arguments: [LocalMailServer.Security.starttls, .tls])
    func `a mail and a login go over TLS to a server that is trusted`(_ security: LocalMailServer.Security) async throws
    {
        let local = try await LocalMailServer(security, login: ("robot", "geheim"))
        let server = try Self.server(
            local, scheme: security == .tls ? "smtps" : "smtp", trusts: true, user: "robot", password: "geheim")
        try await server.send(try Self.message())
        #expect(try local.mails.map(\.secure) == [true])
        #expect(local.commands.contains("tls AUTH") && !local.commands.contains("plain AUTH"))
    }

    @Test(.hangLimit) func `a server that offers no STARTTLS is left before any login or mail is sent`() async throws {
        let local = try await LocalMailServer(.none, login: ("robot", "geheim"))
        let server = try Self.server(local, trusts: true, user: "robot", password: "geheim")
        let error = await Self.error(server, try Self.message())
        #expect(error?.code == .notEncrypted && error?.disposition == .stop)
        #expect(!local.commands.contains { $0.hasSuffix("AUTH") || $0.contains("MAIL") })
        #expect(try local.mails.isEmpty)
    }

    @Test(.hangLimit, arguments: [LocalMailServer.Security.starttls, .tls])
    func `a certificate for another host gets no mail and no login`(_ security: LocalMailServer.Security) async throws {
        let local = try await LocalMailServer(security, login: ("robot", "geheim"), host: "elsewhere.example")
        let server = try Self.server(
            local, scheme: security == .tls ? "smtps" : "smtp", trusts: true, user: "robot", password: "geheim")
        let error = await Self.error(server, try Self.message())
        #expect(error?.code == .connection(.tlsVerificationFailed) && error?.disposition == .stop)
        #expect(!local.commands.contains { $0.hasSuffix("AUTH") })
    }

    @Test(
        .hangLimit,
        arguments: [
            (["RCPT ana@example.com": ["550 no such user"]], MailError.Code.refused, HTTPError.Disposition.setAside),
            (["RCPT": ["451 greylisted"]], .notNow, .retry), (["DATA": ["452 disk full"]], .notNow, .retry),
            (["MESSAGE": ["554 spam"]], .refused, .setAside), (["MESSAGE": ["421 closing"]], .notNow, .retry),
            (["MAIL": ["421 closing"]], .notNow, .retry),
        ])
    func `a refusal says whether to try again, and the mail is sent once the server accepts`(
        answers: [String: [String]], code: MailError.Code, disposition: HTTPError.Disposition
    ) async throws {
        let local = try await LocalMailServer(answers: answers)
        let server = try Self.server(local)
        let error = await Self.error(server, try Self.message())
        #expect(error?.code == code && error?.disposition == disposition, "\(error.map { "\($0)" } ?? "taken")")
        #expect(try local.mails.isEmpty)
        try await server.send(try Self.message())
        #expect(try local.mails.count == 1)
    }

    @Test(.hangLimit) func `a connection that breaks within the mail may be tried again`() async throws {
        let local = try await LocalMailServer(answers: ["MESSAGE": ["DROP"]])
        let error = await Self.error(try Self.server(local), try Self.message())
        #expect(error?.disposition == .retry)
    }

    @Test(.hangLimit) func `a wrong password is reported without repeating it`() async throws {
        let local = try await LocalMailServer(.starttls, login: ("robot", "geheim"))
        let server = try Self.server(local, trusts: true, user: "robot", password: "falsch-geraten")
        let error = try #require(await Self.error(server, try Self.message()))
        #expect(error.code == .loginRefused && error.disposition == .stop)
        #expect("\(error)" == "localhost refuses the login with 535; check username and password_file")
    }

    @Test(.hangLimit) func `a server that is not there may be tried again`() async throws {
        let configuration = try MailServerConfiguration(url: "smtp://127.0.0.1:1")
        let error = await Self.error(MailServer(configuration, logger: RecordedLog().logger), try Self.message())
        #expect(error?.code == .connection(.connectFailed) && error?.disposition == .retry)
    }

    @Test(.hangLimit) func `a cancelled mail ends`() async throws {
        let silence = try SilentServer()
        let configuration = try MailServerConfiguration(url: "smtp://127.0.0.1:\(silence.port)")
        let message = try Self.message()
        let task = Task { await Self.error(MailServer(configuration, logger: RecordedLog().logger), message) }
        try await silence.waitForCaller()
        task.cancel()
        #expect(await task.value?.code == .connection(.cancelled))
    }

    @Test(
        .hangLimit,
        arguments: [
            "Total\r\nBcc: eve@example.com", "売上と解約 2026-03-31: 整合・欠落なし、そしてとても長い件名がここに続きます",
            "=?UTF-8?B?Zm9yZ2Vk?=", String(repeating: "long ", count: 40) + "end", "tab\tand \u{0}nul",
        ])
    func `whatever a subject contains stays a subject`(_ subject: String) async throws {
        let local = try await LocalMailServer()
        try await Self.server(local).send(try Self.message(subject: subject))
        let mail = try #require(try local.mails.first)
        #expect(mail.header("Bcc") == [] && mail.header("Subject").count == 1)
        // Python unfolds headers: as they were sent. The boundary's line is libcurl's own.
        let head = mail.raw.components(separatedBy: "\r\n\r\n").first ?? ""
        let lines = head.components(separatedBy: "\r\n").filter { !$0.hasPrefix("Content-Type: ") }
        #expect(lines.count >= 7 && lines.allSatisfy { $0.utf8.count <= 76 }, "\(lines)")
        #expect(try Self.decoded(mail) == subject)
    }

    /// RFC 2047 by hand: what Python makes of control characters is its own affair.
    private static func decoded(_ mail: LocalMailServer.Mail) throws -> String {
        let head = try #require(mail.raw.components(separatedBy: "\r\n\r\n").first).replacing("\r\n ", with: " ")
        let line = try #require(head.components(separatedBy: "\r\n").first { $0.hasPrefix("Subject: ") }).dropFirst(9)
        guard line.hasPrefix("=?") else { return String(line) }
        let words = line.split(separator: " ").map { $0.dropFirst("=?UTF-8?B?".count).dropLast(2) }
        return words.map { String(decoding: Data(base64Encoded: String($0)) ?? Data(), as: UTF8.self) }.joined()
    }

    @Test(arguments: [
        "a@b", "ana.maria+reports@mail.example.com", "robot@xn--bcher-kva.example",
    ])
    func `plain addresses are taken`(_ text: String) { #expect(MailAddress(text)?.description == text) }

    @Test(arguments: [
        "", "ana", "@b", "a@", "a@b@c", "a b@c", "a@b\r\nRCPT TO:<eve@example.com>", "<a@b>", "\"a\"@b", "a@-b.com",
        "a..b@c", ".a@b", "a@b..c", "ü@b", "a@bücher.example", "a,b@c",
    ])
    func `what could end a command or a header is no address`(_ text: String) { #expect(MailAddress(text) == nil) }

    @Test(arguments: [
        ("smtp://mail.example.com", "smtp://mail.example.com:587"),
        ("smtps://mail.example.com", "smtps://mail.example.com:465"),
        ("smtps://[::1]", "smtps://[::1]:465"), ("smtp://[::1]:25", "smtp://[::1]:25"),
        ("smtp://mail.example.com:2525", "smtp://mail.example.com:2525"),
    ])
    func `a server's port follows from how it is spoken to`(_ url: String, _ whole: String) throws {
        #expect(try MailServerConfiguration(url: url).url == whole)
    }

    @Test func `only a server on this machine is spoken to without TLS`() throws {
        let local = try MailServerConfiguration(url: "smtp://127.0.0.1:2525")
        let trusted = try MailServerConfiguration(url: "smtp://127.0.0.1:2525", certificateAuthorityFile: "/ca.pem")
        let other = try MailServerConfiguration(url: "smtp://mail.example.com")
        let hidden = try MailServerConfiguration(url: "smtp://127.0.0.1.example.com")
        #expect(local.security == .none && trusted.security == .startTLS)
        #expect(other.security == .startTLS && hidden.security == .startTLS)
    }

    @Test(arguments: [
        "mail.example.com", "http://mail.example.com", "smtp://user:pw@mail.example.com", "smtp://mail.example.com/x",
        "smtp://mail.example.com?x", "smtp://", "smtp://a b",
    ])
    func `what is no mail server's URL is refused`(_ url: String) {
        #expect(throws: MailServerConfiguration.Refusal.self) { try MailServerConfiguration(url: url) }
    }
}
