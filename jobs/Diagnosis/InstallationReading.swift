// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import Foundation
import Model
import Operations
import Postgres
import PrivateServer
import Runs

/// Gathers what `doctor` decides from: nothing is decided here.
struct InstallationReading {
    /// What the database and, through the quotas that it shares, the stores said.
    struct Answers {
        var database: DatabaseFacts
        var stores: [StoreFacts] = []
        var clocks = ClockFacts()
        /// The database's size in bytes.
        var bytes: Int64 = 0
        var night: NightFacts?
    }

    let context: JobContext
    let path: String
    /// Lines about files that the configuration names.
    let problems: [String]
    let environment: [String: String]

    private var configuration: Configuration { context.configuration }

    func facts() async throws -> InstallationFacts {
        var answers = try await answers()
        answers.clocks.isSimulated = context.isNowGiven || configuration.isClockSimulated
        return InstallationFacts(
            configuration: configurationFacts, database: answers.database, stores: answers.stores,
            clocks: answers.clocks, certificates: CertificateList(configuration).facts(now: .currentSecond),
            folders: folders, disks: disks(answers),
            schedule: ScheduleFacts(
                files: ScheduleReading.files(), orchestrator: ScheduleReading.orchestrator(in: environment),
                lastNight: answers.night?.age, isSimulated: configuration.isClockSimulated))
    }

    private var configurationFacts: ConfigurationFacts {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        var facts = ConfigurationFacts(path: path, apps: configuration.apps.count, problems: problems)
        if case .server(let server, _, _) = configuration.database { facts.hasPassword = server.hasPassword }
        (facts.isReadable, facts.isWritable) = (mode & 0o004 != 0, mode & 0o022 != 0)
        return facts
    }

    private var folders: [FolderFacts] {
        var folders = [("reports.directory", configuration.reports.directory)]
        if case .privateCluster(let directory) = configuration.database { folders.append(("data", directory)) }
        return folders.map { FolderFacts.read($0, at: $1, account: NSUserName()) }
    }

    private func disks(_ answers: Answers) -> [DiskFacts] {
        let reports = configuration.reports.directory
        var disks = [DiskFacts.read(.reports(issue: DiskFacts.newestIssue(below: reports)), at: reports)]
        if case .privateCluster(let directory) = configuration.database {
            disks.append(DiskFacts.read(.database(answers.bytes), at: directory))
        }
        return disks.compactMap(\.self)
    }

    /// A private database that was never made shares no quota with anybody.
    private func answers() async throws -> Answers {
        if case .privateCluster(let directory) = configuration.database,
            try await PrivateCluster(directory: directory, logger: context.logger).status() == .absent
        {
            let probing = StoreProbing(context)
            return Answers(database: .notMadeYet, stores: await probing.facts(), clocks: probing.clocks)
        }
        var answers = Answers(database: .unavailable("it was not asked"))
        do {
            answers = try await context.readingSessions { sessions in try await self.answers(over: sessions) }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            try Task.checkCancellation()
            answers.database = .unavailable(Self.sentence(error))
            answers.stores = StoreProbing(context).skipped(
                "not asked: the pace that jobs share is in the database, which could not be")
        }
        return answers
    }

    /// A line has no need of the program's name.
    private static func sentence(_ error: any Error) -> String {
        let (sentence, name) = (ErrorText.sentence(error), "subledger: ")
        return sentence.hasPrefix(name) ? String(sentence.dropFirst(name.count)) : sentence
    }

    private func answers(over sessions: DatabaseSessions) async throws -> Answers {
        let server = try await sessions.use { connection in
            try await DatabaseReading(context: context, connection: connection).read()
        }
        let probing = StoreProbing(context)
        var answers = Answers(database: .server(server.facts), bytes: server.bytes, night: server.facts.night)
        if !server.schema.isUsable, server.schema.owner != nil {
            answers.stores = probing.skipped(
                "not asked: the pace that jobs share is in the database, whose schema is to be put right first")
        } else {
            answers.stores = try await probing.facts(through: server.schema.isUsable ? sessions : nil)
        }
        answers.clocks = probing.clocks
        answers.clocks.database = server.clock
        return answers
    }
}
