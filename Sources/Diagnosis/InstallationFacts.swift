// SPDX-License-Identifier: Apache-2.0

/// What is known of an installation before its first night, or before the next: what follows from it is decided here, from
/// values alone.
package struct InstallationFacts: Sendable {
    package var configuration: ConfigurationFacts
    package var database: DatabaseFacts
    package var stores: [StoreFacts]
    package var clocks: ClockFacts
    package var certificates: [CertificateFacts]
    package var folders: [FolderFacts]
    package var disks: [DiskFacts]
    package var schedule: ScheduleFacts

    package init(
        configuration: ConfigurationFacts, database: DatabaseFacts, stores: [StoreFacts], clocks: ClockFacts,
        certificates: [CertificateFacts] = [], folders: [FolderFacts] = [], disks: [DiskFacts] = [],
        schedule: ScheduleFacts
    ) {
        self.configuration = configuration
        self.database = database
        self.stores = stores
        self.clocks = clocks
        self.certificates = certificates
        self.folders = folders
        self.disks = disks
        self.schedule = schedule
    }

    /// In the order in which things are put right.
    package var findings: [Finding] {
        configuration.findings + database.findings + stores.flatMap(\.findings) + clocks.findings
            + certificates.map(\.finding) + folders.map(\.finding) + usedDisks.map(\.finding) + [schedule.finding]
    }

    /// The room below a folder that cannot be used says nothing.
    private var usedDisks: [DiskFacts] {
        let unusable = folders.filter { $0.finding.verdict == .toDo }.map(\.path)
        return disks.filter { !unusable.contains($0.path) }
    }
}

extension [Finding] {
    /// A person has something to do.
    package var needsAction: Bool { contains { $0.verdict == .toDo } }
}
