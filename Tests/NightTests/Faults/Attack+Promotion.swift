// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import TestSupport
import Testing

/// An attack on what a night has written outside of the database.
extension Attack {
    /// The standby has heard of the night up to a place; the night goes on, is sealed and issued, and all of that is lost with its server.
    ///
    /// The next start asks what was lost, names the issue that no database knows of, leaves it as it is, and seals above it.
    func promote(_ life: AttackedLife, _ random: inout FaultSeed) async throws {
        _ = try await life.life.unbroken(job)
        try await life.withStandby(isSynchronous: false) { standby in
            let caught = try await caught(life, &random)
            standby.link.freeze()
            await caught.release()
            expect(await caught.program.result(), endedWith: [0])
            let lost = try LostIssue(in: life)
            try await life.failOver(to: standby, losing: .killed)
            try await expectSealLost(lost.seal, life)
            let again = try await expectMadeGood(life, byContent: true, isIssuedTwice: true)
            #expect(
                again.standardError.contains("this database has no record: \(lost.name) (seal \(lost.seal))"),
                "\(self): \(again.standardError.suffix(3_000))")
            try await expectIssuedBeside(lost, life)
            let done = try await life.run(job)
            #expect(done.exitCode == 0 && done.standardOutput.contains("every app has had it"), "\(self): \(done)")
        }
    }

    /// No run of the database has that seal.
    private func expectSealLost(_ seal: Int64, _ life: AttackedLife) async throws {
        let session = try await life.connect()
        let sealed = "select run_id from subledger.runs where seal >= \(seal)"
        #expect(try await session.lines(sealed) == [], "\(self): the standby has the seal of what was to be lost")
    }

    private func expectIssuedBeside(_ lost: LostIssue, _ life: AttackedLife) async throws {
        #expect(try lost.isUnharmed, "\(self): the issue whose record was lost is another one")
        let session = try await life.connect()
        let sealed = "select count(*) from subledger.runs where seal = \(lost.seal)"
        #expect(try await session.lines(sealed) == ["0"], "\(self): seal \(lost.seal) means two things")
        let issue = "select path from subledger.report_issues where seal > \(lost.seal)"
        #expect(try await session.lines(issue) == ["\(lost.folder).2"], "\(self)")
        let latest = try FileManager.default.destinationOfSymbolicLink(atPath: life.directory + "/reports/latest")
        #expect(latest == lost.name + ".2", "\(self)")
    }
}

/// The one issue of the attacked night, as it was when its server was lost.
private struct LostIssue {
    private struct Manifest: Decodable {
        struct Stamp: Decodable {
            let seal: Int64
        }
        let stamp: Stamp
    }

    let folder: String
    let seal: Int64
    private let files: [String: Data]

    var name: String { (folder as NSString).lastPathComponent }

    init(in life: AttackedLife) throws {
        let reports = life.directory + "/reports"
        let issues = try FileManager.default.contentsOfDirectory(atPath: reports).filter { $0.hasPrefix("2") }
        folder = "\(reports)/\(try #require(issues.count == 1 ? issues.first : nil, "\(issues)"))"
        files = try Self.files(of: folder)
        let manifest = try #require(files["manifest.json"])
        seal = try JSONDecoder().decode(Manifest.self, from: manifest).stamp.seal
    }

    /// Every file in it is the same, the page and the workbook among them.
    var isUnharmed: Bool { get throws { try Self.files(of: folder) == files } }

    private static func files(of folder: String) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return Dictionary(
            uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: "\(folder)/\($0)") ?? Data()) })
    }
}
