// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Model
import Postgres
import Rendering
import Runs
import Yams

/// Turns the file's tree into a configuration, section by section.
///
/// Every known key is in here or in `AppReader`.
struct ConfigurationReader {
    private static let keys = [
        "database", "data", "apps", "grace_buffer", "access", "nightly", "reports", "archive", "secrets",
        "clock", "clock_file", "lease", "status", "metrics", "ping",
    ]
    let files: Files
    let keys: KeyFiles
    let findings: Findings

    /// Nil only where something was found.
    func read(_ root: Node) -> Configuration? {
        guard let top = Section(root, path: "", line: 1, keys: Self.keys, findings: findings) else { return nil }
        let files = trustedFiles(top)
        let apps = apps(top, files)
        let server = top.section("database", keys: ["url", "read_url", "retry_for", "watchdog"])
        let database = database(server, in: top, files)
        let access = access(top)
        let nightly = nightly(top)
        let reports = reports(top, files, apps: apps)
        let archive = top.section("archive", keys: ["keep"])?.span("keep")
        let clock = top.text("clock", being: "simulated, or left out") { $0 == "simulated" }
        let simulatedNow = simulatedNow(top, files, isSimulated: clock != nil)
        let lease = lease(top, isSimulated: clock != nil)
        let metricsFile = top.section("metrics", keys: ["textfile"])?.text("textfile").map(files.absolute)
        _ = pings(top, files)
        let maxAge = top.section("status", keys: ["max_age"])?.span("max_age")
        guard let database, let reports else { return nil }
        return Configuration(
            database: database, watchdog: server?.span("watchdog") ?? .minutes(10), apps: apps, access: access,
            nightly: nightly, reports: reports, archiveRetention: archive ?? .days(90),
            statusMaxAge: maxAge ?? Rules.nightAge, metricsFile: metricsFile, isClockSimulated: clock != nil,
            simulatedNow: simulatedNow,
            leaseSeconds: lease)
    }

    /// What a simulated clock shows: an instant in a file, which is no secret and read by every job.
    private func simulatedNow(_ top: Section, _ files: Files, isSimulated: Bool) -> Instant? {
        var files = files
        files.areRead = true
        guard let bytes = top.bytes("clock_file", files) else { return nil }
        guard isSimulated else {
            top.find("clock_file", "is only for trials: it needs clock: simulated")
            return nil
        }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let now = Instant(argument: text) else {
            top.find("clock_file", "names a file that does not hold an instant such as 2026-03-01T02:15:00Z")
            return nil
        }
        return now
    }

    /// In seconds.
    ///
    /// A leader that dies costs as much waiting as its lease is long, which trials with many deaths make short.
    private func lease(_ top: Section, isSimulated: Bool) -> Int64 {
        guard let lease = top.span("lease") else { return RunLedger.leaseSeconds }
        guard isSimulated else {
            top.find("lease", "is only for trials: it needs clock: simulated")
            return RunLedger.leaseSeconds
        }
        let seconds = lease.micros / 1_000_000
        guard (1...RunLedger.leaseSeconds).contains(seconds) else {
            top.find("lease", "must be from 1s to \(RunLedger.leaseSeconds)s")
            return RunLedger.leaseSeconds
        }
        return seconds
    }

    func trustedFiles(_ top: Section) -> Files {
        var files = files
        let section = top.section("secrets", keys: ["trusted_dirs"])
        for entry in section?.list("trusted_dirs") ?? [] {
            guard let path = entry.node.string, !path.isEmpty else {
                findings.add("secrets.trusted_dirs must be a list of folders", line: entry.line)
                continue
            }
            files.trusted.append(URL(fileURLWithPath: files.absolute(path)).resolvingSymlinksInPath().path)
        }
        return files
    }

    private func apps(_ top: Section, _ files: Files) -> [AppConfiguration] {
        let entries = top.list("apps")
        guard !entries.isEmpty else {
            top.find("apps", top.has("apps") ? "names no app" : "is missing: name at least one app")
            return []
        }
        let apps = entries.enumerated().compactMap { index, entry in
            Section(entry.node, path: "apps[\(index)]", line: entry.line, findings: findings)
                .flatMap { AppReader($0, files: files, reading: keys).read() }
        }
        for (index, app) in apps.enumerated() where apps[..<index].contains(where: { $0.id == app.id }) {
            findings.add("apps: the id \(app.id) stands twice", line: entries[index].line)
        }
        return apps
    }

    private func database(_ section: Section?, in top: Section, _ files: Files) -> Configuration.Database? {
        let data = files.absolute(top.text("data") ?? "./data")
        guard let section else { return nil }
        let reading = server("read_url", in: section)?.forReadingAnywhere
        guard section.has("url") else {
            if reading != nil { section.find("read_url", "needs a database.url: a private server has no standby") }
            return .privateCluster(directory: data)
        }
        guard let server = server("url", in: section) else { return nil }
        return .server(server, reading: reading, retryFor: section.span("retry_for") ?? .minutes(5))
    }

    private func server(_ key: String, in section: Section) -> PostgresConfiguration? {
        guard let url = section.text(key) else { return nil }
        do throws(PostgresError) {
            let server = try PostgresConfiguration(url: url)
            guard server.isLocal || server.sslMode == "verify-full" else {
                section.find(key, "must name a server on this machine or say sslmode=verify-full")
                return nil
            }
            return server
        } catch {
            section.find(key, "cannot be used: \(error.message)")
            return nil
        }
    }

    private func access(_ top: Section) -> AccessPolicy {
        let (standard, unread) = (AccessPolicy(), top.section("access", keys: ["unread_limit"])?.span("unread_limit"))
        return AccessPolicy(
            buffer: top.span("grace_buffer") ?? standard.buffer, unreadLimit: unread ?? standard.unreadLimit)
    }

    private func nightly(_ top: Section) -> Configuration.Nightly {
        let section = top.section("nightly", keys: ["finish_within", "wait_for_store", "retry_budget"])
        return Configuration.Nightly(
            finishWithin: section?.span("finish_within") ?? Configuration.Nightly.usualTime,
            waitForStore: section?.span("wait_for_store") ?? .hours(1),
            retryBudgetPercent: section?.percent("retry_budget") ?? 10)
    }

    private func reports(_ top: Section, _ files: Files, apps: [AppConfiguration]) -> Configuration.Reports? {
        let keys = ["directory", "currency", "time_zone", "language", "chart_js", "notes", "send", "mode", "keep"]
        guard let section = top.section("reports", keys: keys) else { return nil }
        let zone = zone(section)
        let currency = section.text("currency", being: "a currency of three capital letters (ISO 4217)") {
            $0.isCapitals(3)
        }
        let language = section.text("language", being: "en or ja") { ["en", "ja"].contains($0) }
        return Configuration.Reports(
            directory: files.absolute(section.text("directory") ?? "./reports"), currency: currency ?? "USD",
            timeZone: zone ?? .utc, language: language ?? "en",
            chartScript: section.file("chart_js", files), delivery: delivery(section, files),
            notes: notes(section, files, apps: apps), storage: StorageReader(section: section).read())
    }

    private func zone(_ reports: Section) -> ReportTimeZone? {
        guard let name = reports.text("time_zone") else { return nil }
        if let zone = ReportTimeZone(named: name) { return zone }
        let advice = TimeZoneAdvice.zone(for: name).map { "; \($0) may be meant" } ?? ""
        reports.find(
            "time_zone",
            "must be UTC, store, or a time zone with a slash such as Asia/Tokyo, not `\(name.shortened)`\(advice)")
        return nil
    }

    /// A mistake is found by every job; the secrets are read by the one that sends.
    private func delivery(_ reports: Section, _ files: Files) -> DeliverySettings? {
        guard reports.has("send"), let section = reports.section("send", keys: DeliveryReader.keys) else { return nil }
        var files = files
        files.areRead = keys == .ofRecipients
        return DeliveryReader(section: section, files: files).read()
    }

    private func notes(_ section: Section, _ files: Files, apps: [AppConfiguration]) -> ReportNotes? {
        let areAppsKnown = findings.isEmpty
        guard let bytes = section.bytes("notes", files), let path = section.text("notes"), files.areRead else {
            return nil
        }
        let found = Findings(file: files.absolute(path))
        let notes = NotesFile(findings: found, apps: areAppsKnown ? apps.map(\.id) : nil).read(bytes)
        findings.add(found)
        return notes
    }
}
