// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Postgres

/// The PostgreSQL server that subledger keeps for itself where no database URL is configured.
///
/// It listens on a unix socket in a private directory only, runs under an account that is not root, and survives an
/// unclean stop of itself, of this program and of the machine. Starting and stopping go to their end in a cancelled task as
/// well: a server that is half made or half stopped would be the next start's to clear up.
package actor PrivateCluster {
    /// How much the server does against power loss.
    package enum Durability: Sendable {
        /// Every commit is on disk.
        case durable
        /// Fast, and lost with the machine: for tests.
        case ephemeral
    }

    /// The places on the machine that a cluster uses besides its data folder.
    package struct Places: Sendable {
        /// Where clusters lie whose data folder the server's account cannot enter.
        package var stateDirectory = "/var/lib/subledger"
        /// Where socket directories are made; nil: `/run` for root; for others the data folder itself, `/tmp` where that
        /// lies too deep.
        package var socketDirectory: String?
        /// Where to look for the server's programs; nil: $PATH and the usual places.
        package var programDirectories: [String]?

        /// The usual places.
        package init() {}
    }

    /// Whether there is a cluster and a server on it.
    package enum Status: Sendable, Equatable {
        /// No cluster was made yet.
        case absent
        /// The cluster is there, no server runs on it.
        case stopped
        /// A server runs.
        case running(processID: Int32)
    }

    let directory: String
    let durability: Durability
    let places: Places
    let logger: Logger
    /// True if `start` of this object started the server, rather than finding it running.
    package internal(set) var isStartedHere = false

    /// A cluster in that folder (`data:` of the configuration).
    ///
    /// Nothing is changed before `start`.
    package init(
        directory: String, durability: Durability = .durable, places: Places = Places(),
        logger: Logger = Logger(label: "subledger.postgres")
    ) {
        self.directory = directory
        self.durability = durability
        self.places = places
        self.logger = logger
    }

    /// Makes the cluster if there is none, starts the server if it does not run, and says how to connect.
    ///
    /// Safe to call again and from several processes at once. Throws `.privateServer` with what to do.
    package func start() async throws(PostgresError) -> PostgresConfiguration {
        try ServerFiles.makeDirectory(directory, mode: 0o755)
        let data = try ServerFiles.realPath(directory)
        return try await toItsEnd { () async throws(PostgresError) in
            let lock = try await ClusterLock.acquire(data + "/postgres.lock")
            let location = try await ClusterLocation.locate(data: data, places: self.places)
            let configuration = try await self.startLocked(location)
            _ = consume lock
            return configuration
        }
    }

    /// Stops the server, waiting for its end, and removes its socket directory.
    ///
    /// A server that does not run is fine.
    package func stop() async throws(PostgresError) {
        guard FileStatus(directory) != nil else { return }
        let data = try ServerFiles.realPath(directory)
        try await toItsEnd { () async throws(PostgresError) in
            let lock = try await ClusterLock.acquire(data + "/postgres.lock")
            if let location = try ClusterLocation.existing(data: data, places: self.places) {
                try await self.stopLocked(location)
            }
            _ = consume lock
        }
    }

    /// What there is now.
    package func status() async throws(PostgresError) -> Status {
        guard FileStatus(directory) != nil else { return .absent }
        let data = try ServerFiles.realPath(directory)
        guard let location = try ClusterLocation.existing(data: data, places: places) else { return .absent }
        return Postmaster(runningOn: location.cluster).map { .running(processID: $0.processID) } ?? .stopped
    }

    /// Work that the caller's cancellation does not reach.
    private func toItsEnd<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        let task = Task { () -> Result<Value, PostgresError> in
            do throws(PostgresError) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        return try await task.value.get()
    }
}
