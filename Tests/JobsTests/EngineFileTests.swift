// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Model
import Runs
import TestSupport
import Testing

@testable import subledger

/// What places the hosts of a night on engines that exist: their files run commands of the program, try again what may pass by itself
/// after a lease, and leave the rest to a person.
@Suite struct EngineFileTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "cron")
    /// What another try of the same changes nothing about.
    private static let final = [1, 2, 64]

    private static func text(_ file: String) throws -> String {
        try String(contentsOf: folder.appending(path: file), encoding: .utf8)
    }

    // MARK: - systemd

    /// The settings of a unit by their names; of several the last.
    private static func settings(_ unit: String) throws -> [String: String] {
        var settings: [String: String] = [:]
        for line in try text(unit).split(separator: "\n") where !line.hasPrefix("#") && !line.hasPrefix("[") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            try #require(parts.count == 2, "\(unit): \(line)")
            settings[String(parts[0])] = String(parts[1])
        }
        return settings
    }

    @Test func `the template unit works along, and starts again after a lease what may pass by itself`() throws {
        let (unit, leader) = (try Self.settings("subledger-work@.service"), try Self.settings("subledger.service"))
        let words = try #require(unit["ExecStart"]).split(separator: " ").map(String.init)
        #expect(words.first?.hasSuffix("/bin/subledger") == true)
        #expect(try Subledger.parseAsRoot(Array(words.dropFirst())) is Work)
        #expect(unit["Restart"] == "on-failure" && unit["RestartPreventExitStatus"] == "1 2 64")
        let pause = try #require(unit["RestartSec"]?.firstMatch(of: /^([0-9]+)min$/)?.1)
        #expect(try #require(Int64(pause)) * 60 > RunLedger.leaseSeconds)
        // What the leader may not, a worker may not either.
        let limits = leader.filter {
            $0.key.contains(/^(NoNew|Protect|Private|Restrict[A-Z]|Lock|SystemCall|Capability|Limit)/)
        }
        #expect(limits.count > 15)
        for (name, value) in limits { #expect(unit[name] == value, "\(name)") }
        #expect(unit["Description"]?.contains("%i") == true)
    }

    @Test func `the leader's unit starts again after a lease what may pass by itself, however often`() throws {
        let unit = try Self.settings("subledger.service")
        let words = try #require(unit["ExecStart"]).split(separator: " ").map(String.init)
        let night = try #require(try Subledger.parseAsRoot(Array(words.dropFirst())) as? Nightly)
        #expect(words.contains("--once") && !words.contains("--now") && night.apps == [])
        #expect(unit["Restart"] == "on-failure" && unit["RestartPreventExitStatus"] == "1 2 64")
        let pause = try #require(unit["RestartSec"]?.firstMatch(of: /^([0-9]+)min$/)?.1)
        #expect(try #require(Int64(pause)) * 60 > RunLedger.leaseSeconds)
        #expect(unit["StartLimitIntervalSec"] == "0" && unit["TimeoutStartSec"] == "infinity")
    }

    @Test func `the timer, the CronJob and the crontab start the night at the same hours of the morning`() throws {
        let calendar = try #require(try Self.settings("subledger.timer")["OnCalendar"])
        let times = try #require(calendar.wholeMatch(of: /\*-\*-\* ([0-9,]+):([0-9]+):00 UTC/))
        let hours = times.1.split(separator: ",").compactMap { Int($0) }
        #expect(hours == [2, 4, 6, 10] && times.2 == "15")
        let schedule = "15 \(hours.map(String.init).joined(separator: ",")) * * *"
        #expect(try Self.text("subledger-cronjob.yaml").contains("schedule: \"\(schedule)\"\n  timeZone: Etc/UTC\n"))
        let crontab = try Self.text("subledger.crontab")
        #expect(crontab.contains("\n\(schedule) subledger nightly --once\n") && crontab.contains("\nCRON_TZ=UTC\n"))
        // A further machine's line has the leader's times.
        #expect(crontab.contains("\n# \(schedule) subledger work --wait "))
    }

    @Test func `workers start when the leader does`() throws {
        let (worker, leader) = (try Self.settings("subledger-work@.timer"), try Self.settings("subledger.timer"))
        #expect(worker["OnCalendar"] == leader["OnCalendar"] && worker["Persistent"] == "true")
        let schedules = try ["subledger-workers.yaml", "subledger-cronjob.yaml"].map {
            try #require(try Self.text($0).firstMatch(of: /schedule: "(.*)"/)).1
        }
        #expect(schedules[0] == schedules[1])
        let dag = try #require(try Self.text("airflow/subledger_nightly.py").firstMatch(of: /schedule="(.*)"/)).1
        #expect(dag == schedules[0])
    }

    // MARK: - Kubernetes

    private struct Validation: Decodable {
        let documents: [Manifest]
        let errors: [String]
    }

    /// Every manifest there is.
    private static func validated() async throws -> Validation {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
        return try await validated(files.map { folder.appending(path: $0).path })
    }

    private static func validated(_ files: [String]) async throws -> Validation {
        struct Given: Encodable {
            let files: [String]
            let version: String
        }
        return try await PythonProgram.run(
            "JobsTests/Manifests/manifests.py", given: Given(files: files, version: "1.33"))
    }

    @Test func `the manifests are what Kubernetes takes, and run the leader and workers beside it`() async throws {
        let validation = try await Self.validated()
        #expect(validation.errors == [])
        let jobs = validation.documents.filter { $0.kind == "CronJob" }.compactMap(\.spec)
        try #require(jobs.count == 2)
        for job in jobs {
            let container = try #require(job.job.template.spec.containers.first)
            let command = try Subledger.parseAsRoot(Array(container.command.dropFirst()))
            #expect(container.command.first == "subledger")
            #expect(job.job.completionMode == "Indexed" ? command is Work : command is Nightly)
            #expect(job.job.podReplacementPolicy == "Failed" && job.concurrencyPolicy == "Forbid")
            #expect(job.job.template.spec.restartPolicy == "Never")
        }
        let images = Set(jobs.flatMap { $0.job.template.spec.containers.map(\.image) })
        #expect(images.count == 1, "hosts of one night have one version")
        let workers = try #require(jobs.first { $0.job.completionMode == "Indexed" }).job
        #expect(workers.completions == workers.parallelism && (workers.completions ?? 0) > 1)
    }

    @Test func `a word that Kubernetes does not know is found`() async throws {
        try await withTemporaryDirectory { directory in
            let file = directory + "/wrong.yaml"
            let wrong = try Self.text("subledger-cronjob.yaml").replacing("secretKeyRef:", with: "secretRef:")
            try wrong.write(toFile: file, atomically: true, encoding: .utf8)
            let errors = try await Self.validated([file]).errors
            #expect(errors.count == 1 && errors[0].contains("secretRef"), "\(errors)")
        }
    }

    @Test func `pods are tried again until a lease is over, and never for what needs a person`() async throws {
        for job in try await Self.validated().documents.compactMap(\.spec?.job) {
            let rules = job.podFailurePolicy.rules
            let final = try #require(rules.first { $0.onExitCodes != nil })
            #expect(final.onExitCodes?.values == Self.final && final.onExitCodes?.operator == "In")
            #expect(final.onExitCodes?.containerName == job.template.spec.containers.first?.name)
            #expect(final.action == (job.completionMode == "Indexed" ? "FailIndex" : "FailJob"))
            // Ten seconds, twenty, forty and so on, each at most six minutes.
            let tries = try #require(job.completionMode == "Indexed" ? job.backoffLimitPerIndex : job.backoffLimit)
            let waited = (0..<tries).reduce(Int64(0)) { $0 + min(10 << Int64($1), 360) }
            #expect(waited > RunLedger.leaseSeconds)
        }
    }

    // MARK: - Airflow

    @Test func `the DAG leads with one task, and works along with mapped ones that skip on 75`() throws {
        let text = try Self.text("airflow/subledger_nightly.py")
        func command(_ name: String) throws -> [String] {
            let list = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(name) = [") })
            return list.matches(of: /"([^"]*)"/).map { String($0.1) }
        }
        let (leader, worker) = (try command("LEADER"), try command("WORKER"))
        let night = try #require(try Subledger.parseAsRoot(Array(leader.dropFirst())) as? Nightly)
        #expect(leader.first == "subledger" && leader.contains("--once") && !leader.contains("--now"))
        #expect(night.apps == [])
        let work = try #require(try Subledger.parseAsRoot(Array(worker.dropFirst())) as? Work)
        #expect(worker.first == "subledger" && work.wait == .minutes(10))
        for setting in ["catchup=False", "max_active_runs=1", "TRY_LATER = 75", "FINAL = (1, 2, 64)", ".expand("] {
            #expect(text.contains(setting), "\(setting)")
        }
        let minutes = try #require(text.firstMatch(of: /AFTER_A_LEASE = datetime.timedelta\(minutes=([0-9]+)\)/)?.1)
        #expect(try #require(Int64(minutes)) * 60 > RunLedger.leaseSeconds)
    }
}

/// What these tests read of a manifest.
private struct Manifest: Decodable {
    let kind: String
    let spec: CronJob?

    struct CronJob: Decodable {
        let concurrencyPolicy: String
        let jobTemplate: JobTemplate

        var job: Job { jobTemplate.spec }
    }

    struct JobTemplate: Decodable { let spec: Job }

    struct Job: Decodable {
        let completionMode: String?
        let completions: Int?
        let parallelism: Int?
        let backoffLimit: Int?
        let backoffLimitPerIndex: Int?
        let podReplacementPolicy: String
        let podFailurePolicy: Policy
        let template: Pod
    }

    struct Policy: Decodable { let rules: [Rule] }

    struct Rule: Decodable {
        let action: String
        let onExitCodes: ExitCodes?
    }

    struct ExitCodes: Decodable {
        let containerName: String
        let `operator`: String
        let values: [Int]
    }

    struct Pod: Decodable { let spec: PodSpec }

    struct PodSpec: Decodable {
        let restartPolicy: String
        let containers: [Container]
    }

    struct Container: Decodable {
        let name: String
        let image: String
        let command: [String]
    }
}
