// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Logging
import Model
import Operations
import Runs

/// The file that Prometheus' node exporter reads: written aside and renamed, so that no reader sees half of it.
struct MetricsFile {
    let path: String

    /// Writes what is known at the end of a night; where that fails a line says so, and the night is as it was.
    static func write(_ context: JobContext, through sessions: DatabaseSessions) async {
        guard let path = context.configuration.metricsFile else { return }
        do {
            let facts = try await sessions.use { try await BatchFacts.read(on: $0) }
            let verdict = BatchVerdict(
                on: facts, apps: context.appNames, maxAge: context.configuration.statusMaxAge, now: context.now)
            try MetricsFile(path: path).replace(with: "\(MetricsText(facts, apps: context.appNames, verdict: verdict))")
        } catch {
            context.logger.warning("metrics.textfile was not written: \(ErrorText.sentence(error))")
        }
    }

    /// Readable by all: the exporter runs as somebody else, and there is no secret in it.
    ///
    /// The name aside ends otherwise: the exporter reads what ends with `.prom`.
    func replace(with text: String) throws {
        let url = URL(fileURLWithPath: path)
        let aside = url.deletingLastPathComponent().path + "/.\(url.lastPathComponent).\(getpid())"
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: aside))
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: aside)
            guard unsafe rename(aside, path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        } catch {
            try? FileManager.default.removeItem(atPath: aside)
            throw error
        }
    }
}
