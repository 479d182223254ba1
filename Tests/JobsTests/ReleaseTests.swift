// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import subledger

/// What is released beside the program says what the program does.
///
/// That the package installs, upgrades and goes, and what systemd says of its units, is played by `scripts/package --check`.
@Suite struct ReleaseTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The values of a key of a unit, in their order.
    private static func values(of key: String, in unit: String) throws -> [String] {
        try text(of: "cron/\(unit)").split(separator: "\n").filter { $0.hasPrefix("\(key)=") }
            .map { String($0.dropFirst(key.count + 1)) }
    }

    private static func parse(_ words: [String]) throws -> any ParsableCommand {
        #expect(words.first.map { ($0 as NSString).lastPathComponent } == "subledger")
        return try Subledger.parseAsRoot(Array(words.dropFirst()))
    }

    /// The list of a line such as `command: ["subledger", "nightly"]`.
    private static func list(after name: String, in text: String) throws -> [String] {
        let line = try #require(text.split(separator: "\n").first { $0.contains("\(name)[") })
        let list = try #require(line.firstMatch(of: /\[(.*)\]/)).1
        return list.split(separator: ",").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " \"")) }
    }

    @Test func `the program and the CronJob name the same version, and a checkout's program its commit`() async throws {
        let run = try await CommandLineRun(
            product: "subledger", arguments: ["--version"], environment: ["SUBLEDGER_CONFIG": ""],
            folder: Self.root.path
        ).run()
        #expect(run.exitCode == 0)
        let log = try? Self.text(of: ".git/logs/HEAD")
        let commit = log?.split(separator: "\n").last?.split(separator: " ").dropFirst().first?.prefix(12)
        let built = commit.map { "\(Subledger.number) (\($0))" } ?? Subledger.number
        #expect(run.standardOutput == "\(built)\n")
        #expect(Subledger.number.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil)
        #expect(try Self.text(of: "cron/subledger-cronjob.yaml").contains("/subledger:\(Subledger.number)\n"))
    }

    @Test func `the timer's unit, the CronJob and the container run the night`() throws {
        let start = try #require(try Self.values(of: "ExecStart", in: "subledger.service").first)
        #expect(try Self.parse(start.split(separator: " ").map(String.init)) is Nightly)
        let job = try Self.text(of: "cron/subledger-cronjob.yaml")
        #expect(try Self.parse(try Self.list(after: "command: ", in: job)) is Nightly)
        let container = try Self.text(of: "Containerfile")
        let entry = try Self.list(after: "ENTRYPOINT ", in: container)
        #expect(try Self.parse(entry + (try Self.list(after: "CMD ", in: container))) is Nightly)
    }

    @Test func `a further host finds its keys where the night does`() throws {
        for key in ["LoadCredential", "BindReadOnlyPaths", "User", "Group", "OnFailure", "TimeoutStartSec"] {
            let values = try Self.values(of: key, in: "subledger-work@.service")
            let ofNight = try Self.values(of: key, in: "subledger.service")
            #expect(!values.isEmpty && values == ofNight, "\(key)")
        }
    }

    @Test func `any job starts as an instance, with the keys and the account of the night`() throws {
        let job = "subledger@.service"
        #expect(try Self.values(of: "ExecStart", in: job) == ["/usr/local/bin/subledger $JOB"])
        #expect(try Self.values(of: "Environment", in: job).contains("\"JOB=%I\""))
        for key in [
            "LoadCredential", "BindReadOnlyPaths", "User", "Group", "StateDirectory", "WorkingDirectory", "UMask",
            "OnFailure", "TimeoutStartSec", "KillMode", "SystemCallFilter", "CapabilityBoundingSet", "MemoryMax",
        ] {
            let values = try Self.values(of: key, in: job)
            let ofNight = try Self.values(of: key, in: "subledger.service")
            #expect(!values.isEmpty && values == ofNight, "\(key)")
        }
    }

    @Test(arguments: ["subledger-cronjob.yaml", "subledger-workers.yaml"])
    func `the password of every host is a variable of a Secret, and is in no argument or file`(file: String) throws {
        let job = try Self.text(of: "cron/\(file)")
        let variable = job.firstMatch(
            of: /- name: PGPASSWORD\n +valueFrom:\n +secretKeyRef: \{ name: subledger-database, key: password \}/)
        #expect(variable != nil)
        let lines = job.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("#") }
        #expect(!lines.contains { $0.contains("passfile") })
    }

    @Test func `every line of the Containerfile is an instruction, and what it installs is what README names`() throws {
        let lines = try Self.text(of: "Containerfile").replacing("\\\n", with: " ").split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
        let known = ["ARG", "FROM", "RUN", "COPY", "USER", "ENV", "VOLUME", "WORKDIR", "ENTRYPOINT", "CMD"]
        for line in lines { #expect(known.contains { line.hasPrefix("\($0) ") }, "\(line)") }
        let readme = try Self.text(of: "README.md")
        let wanted = try #require(readme.firstMatch(of: /--no-install-recommends (.*\S) +# Debian 12\n/)).1
        for package in wanted.split(separator: " ") {
            #expect(lines.contains { $0.split(separator: " ").contains(package) }, "\(package)")
        }
    }

    @Test func `the manual has every job, and the codes that jobs end with`() throws {
        let manual = try Self.text(of: "docs/subledger.1")
        for job in Subledger.configuration.subcommands {
            let name = job._commandName
            #expect(manual.contains("\n.B \(name)\n") || manual.contains("\n.BI \(name) "), "\(name)")
        }
        for code in JobEnding.allCases { #expect(manual.contains("\n.B \(code.rawValue)\n"), "\(code)") }
        #expect(manual.contains("\"subledger \(Subledger.number)\""))
    }

    @Test func `the list of licences has every package of the program`() throws {
        let licences = try Self.text(of: "scripts/packaging/licences.txt")
        let simulators = ["hummingbird", "swift-http-types", "swift-nio", "swift-nio-extras", "swift-nio-http2"]
        let packages = try Self.text(of: "Package.swift").matches(of: /\.package\(url: "[^"]*\/([^"\/]+)", exact/)
        #expect(packages.count > 8)
        for package in packages.map({ String($0.1) }) where !simulators.contains(package) {
            #expect(licences.contains("\n\(package)\t"), "\(package): what licence has it?")
        }
    }
}
