// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where nights may be started from, as far as this account can see.
package enum ScheduleReading {
    /// Crontabs, and folders of them.
    private static let crontabs = ["/etc/crontab", "/etc/cron.d", "/var/spool/cron/crontabs", "/var/spool/cron"]
    /// Where enabled timers are linked.
    private static let timers = ["/etc/systemd/system/timers.target.wants"]

    /// The files below `root` that start nights.
    package static func files(below root: String = "") -> [String] {
        let found = crontabs.flatMap { files(at: root + $0) }.filter(startsNight)
        let enabled = timers.flatMap { files(at: root + $0) }.filter { path in
            let name = URL(fileURLWithPath: path).lastPathComponent
            return name.hasPrefix("subledger") && name.hasSuffix(".timer")
        }
        return found + enabled
    }

    /// What started this process and has schedules of its own.
    package static func orchestrator(in environment: [String: String]) -> String? {
        if environment["KUBERNETES_SERVICE_HOST"] != nil { return "Kubernetes" }
        return environment["AIRFLOW_CTX_DAG_ID"] != nil ? "Airflow" : nil
    }

    /// The file itself, or those in the folder.
    private static func files(at path: String) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return [path] }
        return names.sorted().map { "\(path)/\($0)" }
    }

    /// A line that is no comment names the job.
    private static func startsNight(_ path: String) -> Bool {
        guard let contents = FileManager.default.contents(atPath: path) else { return false }
        return String(decoding: contents, as: UTF8.self).split(separator: "\n").contains { line in
            !line.hasPrefix("#") && line.contains("subledger") && line.contains("nightly")
        }
    }
}
