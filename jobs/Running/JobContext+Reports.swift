// SPDX-License-Identifier: Apache-2.0

import Issues
import Logging
import Runs

/// The folder of the reports, before a job writes one.
extension JobContext {
    /// Says what is not there that should be, and what is there of which the database knows nothing; seals go on above those of the latter.
    ///
    /// What cannot be read is said, and keeps no night back.
    ///
    /// `isWriting`: it is to write reports; without, a folder that is not there is no matter.
    func examineReports(isWriting: Bool = true, through sessions: DatabaseSessions) async throws {
        let directory = configuration.reports.directory
        try await sessions.use { connection in
            let reports = ReportDirectory(directory, on: connection)
            let unrecorded = try await reports.unrecorded()
            let absence = isWriting ? try await reports.absence() : nil
            for sentence in unrecorded.findings + [unrecorded.sentence, absence].compactMap(\.self) {
                logger.warning("\(sentence)")
            }
            try await RunLedger(connection: connection).raiseSeals(above: unrecorded.highestSeal, logger)
        }
    }
}
