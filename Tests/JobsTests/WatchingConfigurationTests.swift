// SPDX-License-Identifier: Apache-2.0

import Delivery
import Model
import Testing

@testable import subledger

/// `status`, `metrics` and `ping` of the configuration.
@Suite struct WatchingConfigurationTests {
    private static func load(_ more: String) async throws -> Result<Configuration, UsageError> {
        try await ConfigurationFolder.with(ConfigurationFolder.good + more) { $0.load() }
    }

    @Test func `what is left out has its default, and paths start at the configuration's folder`() async throws {
        let plain = try await Self.load("").get()
        #expect(plain.statusMaxAge == .hours(26) && plain.metricsFile == nil)
        let given = try await Self.load("status: { max_age: 30h }\nmetrics: { textfile: out/subledger.prom }\n").get()
        #expect(given.statusMaxAge == .hours(30))
        #expect(
            given.metricsFile?.hasSuffix("/out/subledger.prom") == true && given.metricsFile?.hasPrefix("/") == true)
    }

    @Test func `an unknown key of ping is a mistake; a file that is not there stops no night`() async throws {
        let wrong = try await Self.load("ping: { start: a }\n")
        #expect(throws: UsageError("subledger.yaml:11: ping.start is no known key")) {
            try wrong.get()
        }
        _ = try await Self.load("ping: { start_file: nowhere.url }\n").get()
    }

    @Test func `a URL is read when something is pinged, by whom alone it may be read`() async throws {
        let yaml =
            ConfigurationFolder.good.replacing("key_id:", with: "keyid:")
            + "ping: { start_file: start.url, success_file: plain.url, failure_file: open.url }\n"
        try await ConfigurationFolder.with(yaml) { folder in
            try folder.write("https://example.com/secret\n", to: "start.url")
            try folder.write("http://example.com/secret\n", to: "plain.url")
            try folder.write("https://example.com/secret\n", to: "open.url", mode: 0o644)
            let pings = try #require(ConfigurationFile.pings(folder.file, environment: [:]))
            #expect(try pings.url(for: .start) == Secret("https://example.com/secret"))
            for event in [PingEvent.success, .failure] {
                let refusal = #expect(throws: Files.Refusal.self) { try pings.url(for: event) }
                #expect(refusal?.problem.contains("example.com") == false)
            }
        }
        let readable = yaml.replacing("keyid:", with: "key_id:")
        try await ConfigurationFolder.with(readable) { folder in
            try folder.write("https://example.com/se cret\n", to: "start.url")
            try folder.write("https://example.com/secret\n", to: "open.url", mode: 0o644)
            let problems = try ConfigurationFile.inspect(folder.file, environment: [:]).problems
            let files = problems.compactMap { $0.split(separator: " ").dropFirst().first }
            #expect(files == ["ping.start_file", "ping.success_file", "ping.failure_file"], "\(problems)")
        }
        try await ConfigurationFolder.with { folder in
            #expect(ConfigurationFile.pings(folder.file, environment: [:]) == nil)
            #expect(ConfigurationFile.pings(folder.path + "/nowhere.yaml", environment: [:]) == nil)
        }
    }
}
