// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import TestSupport
import Testing

@testable import subledger

/// With `--log-format json` all of stderr is one object a line, for who reads it by program.
@Suite struct LogLineTests {
    private static func object(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test func `numbers are numbers, and what has parts is an object`() throws {
        let line = LogLine.json(
            "the run ended", level: .info,
            metadata: [
                "run": .stringConvertible(Int64(7)), "outcome": "done", "message": "another",
                "counts": .dictionary(["due": .stringConvertible(Int64(12))]),
                "seconds": .dictionary(["report": .stringConvertible(1.25)]),
            ])
        #expect(!line.contains("\n"))
        let object = try Self.object(line)
        #expect(object["message"] as? String == "the run ended" && object["level"] as? String == "info")
        #expect(object["run"] as? Int == 7 && (object["counts"] as? [String: Int]) == ["due": 12])
        #expect((object["seconds"] as? [String: Double]) == ["report": 1.25])
        #expect((object["time"] as? String)?.hasSuffix("Z") == true)
    }

    /// The program in a folder, each line of its stderr as an object.
    private static func lines(
        of arguments: [String], in folder: ConfigurationFolder, expecting code: Int32
    ) async throws -> [[String: Any]] {
        let run = try await CommandLineRun(
            product: "subledger", arguments: arguments + ["--log-format", "json"],
            environment: ["SUBLEDGER_CONFIG": ""], folder: folder.path
        ).run()
        #expect(run.exitCode == code, "\(run.standardError)")
        return try run.standardError.split(separator: "\n").map { try object(String($0)) }
    }

    /// A wrong key, and an option that there is none of: both are pinged, as far as their file can be read.
    @Test(.hangLimit) func `errors of usage and configuration are objects, too, and a service learns of them`()
        async throws
    {
        let service = try LoopbackServer { _, _ in .init() }
        let yaml =
            ConfigurationFolder.good.replacing("key_id:", with: "keyid:") + "ping: { failure_file: failure.url }\n"
        try await ConfigurationFolder.with(yaml) { folder in
            try folder.write(service.url + "/secret", to: "failure.url")
            let wrong = try await Self.lines(of: ["nightly"], in: folder, expecting: 64)
            #expect(
                wrong.compactMap { $0["message"] as? String }.first == "subledger.yaml:2: apps[0].key_id is missing")
            #expect(wrong.allSatisfy { $0["level"] as? String == "error" } && wrong.count == 2)
            let unknown = try await Self.lines(of: ["nightly", "--nwo"], in: folder, expecting: 64)
            #expect(unknown.count == 1 && (unknown[0]["message"] as? String)?.contains("--nwo") == true)
            #expect(service.requests.map(\.path) == ["/secret", "/secret"])
            let status = try await Self.lines(of: ["status", "--config", "no.yaml"], in: folder, expecting: 64)
            #expect(status.count == 1 && service.requests.count == 2)
            // What is amiss with the ping is an object, too, whoever finds it.
            try folder.setMode(0o644, of: "failure.url")
            for arguments in [["nightly"], ["nightly", "--nwo"]] {
                let lines = try await Self.lines(of: arguments, in: folder, expecting: 64)
                let said = lines.compactMap { $0["message"] as? String }
                #expect(said.contains { $0.hasPrefix("ping.failure_file names a file which ") }, "\(said)")
            }
        }
    }
}
