// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Model
import TestSupport
import Testing

@testable import subledger

/// A first configuration is read by the program's own reader, and names every key there is.
@Suite struct InitTests {
    private static let server = ConfigurationDraft.AppStoreApp(
        name: "acme-ios", bundleID: "com.acme.app",
        server: ConfigurationDraft.ServerKey(
            appAppleID: "1234567890", issuerID: "57246542-96fe-1a63-e053-0824d011072a", keyID: "2X9R4HXF34"))
    private static let receipts = ConfigurationDraft.AppStoreApp(name: "acme-legacy", bundleID: "com.acme.old")
    private static let play = ConfigurationDraft.GooglePlayApp(name: "acme-android", packageName: "com.acme.app")
    private static let consent = ConfigurationDraft.GooglePlayApp(
        name: "acme-android", packageName: "com.acme.app", clientID: "123-abc.apps.googleusercontent.com")

    private static let drafts = [
        ConfigurationDraft(appStore: server), ConfigurationDraft(appStore: receipts, googlePlay: consent),
        ConfigurationDraft(googlePlay: play),
        ConfigurationDraft(
            appStore: server, googlePlay: play, databaseURL: "postgresql://etl@/billing?host=/run", currency: "JPY",
            timeZone: "Asia/Tokyo"),
    ]

    private static func load(_ draft: ConfigurationDraft, reading keys: KeyFiles = .none) async throws -> Configuration
    {
        try await withTemporaryDirectory { directory in
            let file = NewConfigurationFile(path: directory + "/subledger.yaml")
            try file.write(draft.text)
            return try ConfigurationFile.load(file.path, environment: [:], reading: keys)
        }
    }

    @Test(arguments: drafts.indices)
    func `every draft is read as what was answered`(index: Int) async throws {
        let draft = Self.drafts[index]
        let configuration = try await Self.load(draft)
        let names = [draft.appStore?.name, draft.googlePlay?.name].compactMap(\.self)
        #expect(configuration.apps.map(\.id.rawValue) == names)
        #expect(configuration.reports.currency == draft.currency)
        #expect(configuration.reports.timeZone.identifier == draft.timeZone)
        guard case .privateCluster = configuration.database else {
            #expect(draft.databaseURL != ConfigurationDraft.privateDatabase)
            return
        }
        #expect(draft.databaseURL == ConfigurationDraft.privateDatabase)
    }

    @Test func `with its key files in their places a draft is whole`() async throws {
        try await ConfigurationFolder.with { folder in
            let secrets = folder.path + "/secrets"
            try FileManager.default.createDirectory(atPath: secrets, withIntermediateDirectories: true)
            try FileManager.default.moveItem(
                atPath: folder.path + "/key.p8", toPath: secrets + "/AuthKey_2X9R4HXF34.p8")
            try FileManager.default.moveItem(
                atPath: folder.path + "/root.cer", toPath: folder.path + "/AppleRootCA-G3.cer")
            try folder.write("{}", to: "secrets/play.json")
            let file = NewConfigurationFile(path: folder.path + "/new.yaml")
            try file.write(Self.drafts[3].text)
            #expect(try ConfigurationFile.load(file.path, environment: [:]).apps.count == 2)
            try folder.setMode(0o644, of: "secrets/play.json")
            let (configuration, problems) = try ConfigurationFile.inspect(file.path, environment: [:])
            #expect(problems.count == 1 && problems.first?.contains("chmod 600") == true)
            let stopped = configuration.apps.filter { if case .unusable = $0.files { true } else { false } }
            #expect(configuration.apps.count == 2 && stopped.map(\.id.rawValue) == ["acme-android"])
        }
    }

    @Test func `a file that is there is left as it is, and a wrong answer writes none`() async throws {
        try await withTemporaryDirectory { directory in
            let file = NewConfigurationFile(path: directory + "/subledger.yaml")
            var wrong = Self.drafts[2]
            wrong.currency = "dollars"
            let refusal = #expect(throws: UsageError.self) { try file.write(wrong.text) }
            #expect(refusal?.description.contains("reports.currency") == true)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
            try file.write(Self.drafts[2].text)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            #expect(throws: UsageError.self) { try file.write(Self.drafts[0].text) }
            #expect(throws: UsageError.self) { try file.refuseExisting() }
            #expect(try String(contentsOfFile: file.path, encoding: .utf8) == Self.drafts[2].text)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["subledger.yaml"])
        }
    }

    /// docs/configuration.md lists them; those of `reports.send` stay there.
    @Test func `a draft names every key of the documentation`() throws {
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let document = try String(
            contentsOf: repository.appending(path: "docs/configuration.md"), encoding: .utf8)
        let sections = document.components(separatedBy: "\n## ").filter { !$0.hasPrefix("Telling people") }
        let keys = sections.flatMap { section in
            section.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
                row.dropFirst(2).prefix { $0 != "|" }.matches(of: /`[\w.]*?(\w+)`/).map { String($0.1) }
            }
        }
        #expect(Set(keys).count > 50)
        let text = Self.drafts.map(\.text).joined()
        let missing = Set(keys).filter { !text.contains("\($0):") }
        #expect(missing.sorted() == [])
    }

    @Test(arguments: [
        ("com.acme.app", "com.acme.app"), ("2X9R4HXF34", "2X9R4HXF34"), ("null", "\"null\""), ("a: b", "\"a: b\""),
        ("# x", "\"# x\""), ("a\"b\\c", "\"a\\\"b\\\\c\""), ("", "\"\""), ("a\u{7}", "\"a\\x07\""),
    ])
    func `a value that YAML would read otherwise is quoted`(value: String, written: String) {
        #expect(ConfigurationDraft.scalar(value) == written)
    }

    @Test func `flags are answers, and without a terminal what is missing is named`() throws {
        let quiet = Interview(console: Console(), isTerminal: false, read: { nil })
        let options = try InitOptions.parse([
            "--bundle-id", "com.acme.app", "--app-apple-id", "1", "--issuer-id", "i", "--key-id", "k",
        ])
        let draft = try options.draft(asking: quiet)
        #expect(draft.appStore?.name == "acme-ios" && draft.googlePlay == nil && draft.currency == "USD")
        #expect(draft.nextSteps("subledger.yaml").last == "  subledger doctor --config subledger.yaml")
        let missing = #expect(throws: UsageError.self) {
            try InitOptions.parse(["--bundle-id", "com.acme.app"]).draft(asking: quiet)
        }
        #expect(missing?.description.contains("--app-apple-id") == true)
        let none = #expect(throws: UsageError.self) { try InitOptions.parse([]).draft(asking: quiet) }
        #expect(none?.description.contains("--package-name") == true)
    }

    @Test(arguments: [
        (
            ["--package-name", "com.acme.app", "--key-id", "k", "--verify-receipt"], "--key-id, --verify-receipt",
            "--bundle-id"
        ),
        (["--bundle-id", "com.acme.app", "--verify-receipt", "--client-id", "1"], "--client-id", "--package-name"),
    ])
    func `flags of an app that nothing names are refused`(words: [String], flags: String, name: String) throws {
        let quiet = Interview(console: Console(), isTerminal: false, read: { nil })
        let options = try InitOptions.parse(words)
        let refusal = #expect(throws: UsageError.self) { try options.draft(asking: quiet) }
        #expect(refusal?.description.contains("\(flags) is of") == true)
        #expect(refusal?.description.contains("add \(name)") == true)
    }

    @Test func `the commands that are left to do can be copied, whatever the folder is called`() {
        let steps = ConfigurationDraft(appStore: Self.receipts).nextSteps("/srv/Bob's books/subledger.yaml")
        #expect(
            steps.suffix(3)
                == [
                    #"  mkdir -p -m 700 '/srv/Bob'\''s books/secrets'   # and copy the files"#,
                    #"  chmod 600 '/srv/Bob'\''s books/secrets/shared_secret'"#,
                    #"  subledger doctor --config '/srv/Bob'\''s books/subledger.yaml'"#,
                ])
    }
}
