// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import TestSupport
import Testing

@testable import Diagnosis

/// What is said of folders, disks and schedules.
@Suite struct PlaceFindingTests {
    private static func folder(_ state: FolderFacts.State, mode: Int? = 0o755) -> Finding {
        FolderFacts(key: "reports.directory", path: "/srv/r", state: state, mode: mode, account: "etl").finding
    }

    @Test func `a folder that cannot be written is named with what to do`() {
        #expect(Self.folder(.writable) == .fine("folder reports.directory", "/srv/r can be written by account etl"))
        #expect(Self.folder(.canBeMade, mode: nil).verdict == .fine)
        let refused = Self.folder(.notWritable(reason: "Permission denied"))
        #expect(refused.verdict == .toDo && refused.text.contains("chown etl /srv/r"))
        let missing = Self.folder(.cannotBeMade(parent: "/srv", reason: "Read-only file system"), mode: nil)
        #expect(missing.verdict == .toDo && missing.text.contains("in /srv (Read-only file system)"))
        #expect(Self.folder(.isNoFolder).verdict == .toDo)
        #expect(Self.folder(.writable, mode: 0o777).text.hasSuffix("chmod o-w /srv/r"))
        #expect(Self.folder(.writable, mode: 0o1777).verdict == .fine)
    }

    @Test func `folders are looked at by making something in them that goes again`() async throws {
        try await withTemporaryDirectory { directory in
            func state(_ path: String) -> FolderFacts.State {
                FolderFacts.read("data", at: path, account: "etl").state
            }
            try "x".write(toFile: directory + "/file", atomically: true, encoding: .utf8)
            #expect(state(directory) == .writable)
            #expect(state(directory + "/a/b") == .canBeMade)
            #expect(state(directory + "/file") == .isNoFolder)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["file"])
            guard case .cannotBeMade("/proc", _) = state("/proc/subledger/reports") else {
                Issue.record("a folder could be made in /proc")
                return
            }
        }
    }

    @Test(
        arguments: [
            (256 << 20, 0, false), (255 << 20, 0, true), (299 << 20, 100 << 20, true), (300 << 20, 100 << 20, false),
        ] as [(Int64, Int64, Bool)])
    func `a disk has room for a small issue, and for three of the newest`(free: Int64, issue: Int64, isShort: Bool) {
        let finding = DiskFacts(path: "/srv/r", use: .reports(issue: issue), free: free).finding
        #expect((finding.verdict == .toDo) == isShort)
    }

    @Test func `the disk of a folder that cannot be used is not spoken of`() {
        func findings(_ state: FolderFacts.State) -> [Finding] {
            InstallationFacts(
                configuration: ConfigurationFacts(path: "s.yaml", apps: 1), database: .notMadeYet, stores: [],
                clocks: ClockFacts(isSimulated: true),
                folders: [FolderFacts(key: "reports.directory", path: "/r", state: state, account: "etl")],
                disks: [DiskFacts(path: "/r", use: .reports(issue: 0), free: 0)],
                schedule: ScheduleFacts(isSimulated: true)
            ).findings
        }
        #expect(findings(.isNoFolder).filter { $0.verdict == .toDo }.map(\.about) == ["folder reports.directory"])
        #expect(findings(.writable).filter { $0.verdict == .toDo }.map(\.about) == ["disk"])
    }

    @Test func `a private database may grow by a fifth`() {
        #expect(DiskFacts(path: "/d", use: .database(10 << 30), free: 2 << 30).finding.verdict == .fine)
        #expect(DiskFacts(path: "/d", use: .database(10 << 30), free: (2 << 30) - 1).finding.verdict == .toDo)
    }

    @Test func `somebody starts nights, or is to`() {
        let unscheduled = ScheduleFacts().finding
        #expect(unscheduled.verdict == .toDo && unscheduled.text.contains("crontab -e"))
        #expect(ScheduleFacts(lastNight: .hours(37)).finding.verdict == .toDo)
        #expect(ScheduleFacts(lastNight: .hours(36)).finding.verdict == .fine)
        #expect(
            ScheduleFacts(files: ["/etc/crontab"]).finding == .fine("schedule", "nights are started in /etc/crontab"))
        #expect(ScheduleFacts(orchestrator: "Kubernetes").finding.verdict == .fine)
        #expect(ScheduleFacts(isSimulated: true).finding.verdict == .fine)
        let stopped = ScheduleFacts(files: ["/etc/crontab"], lastNight: .days(3)).finding
        #expect(stopped.verdict == .toDo && stopped.text.contains("3 days ago"))
    }

    @Test func `crontabs are read without their comments, and timers by their links`() async throws {
        try await withTemporaryDirectory { root in
            for folder in ["/etc/cron.d", "/etc/systemd/system/timers.target.wants"] {
                try FileManager.default.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
            }
            func write(_ text: String, to path: String) throws {
                try text.write(toFile: root + path, atomically: true, encoding: .utf8)
            }
            try write("# 15 2 * * * subledger nightly --once\n", to: "/etc/crontab")
            try write("15 2 * * * etl subledger nightly --once\n", to: "/etc/cron.d/subledger")
            try write("*/5 * * * * etl subledger intake\n", to: "/etc/cron.d/subledger-intake")
            try write("", to: "/etc/systemd/system/timers.target.wants/subledger.timer")
            try write("", to: "/etc/systemd/system/timers.target.wants/apt-daily.timer")
            let found = ScheduleReading.files(below: root).map { $0.replacing(root, with: "") }
            #expect(found == ["/etc/cron.d/subledger", "/etc/systemd/system/timers.target.wants/subledger.timer"])
        }
        #expect(ScheduleReading.orchestrator(in: ["KUBERNETES_SERVICE_HOST": "10.0.0.1"]) == "Kubernetes")
        #expect(ScheduleReading.orchestrator(in: [:]) == nil)
    }
}
