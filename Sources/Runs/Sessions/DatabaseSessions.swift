// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Postgres
internal import SQLCatalog

/// The sessions of one job with its database: a fixed number and one more for leases, opened when they are needed, used by one
/// task at a time, and opened again where the server was away.
package actor DatabaseSessions: DatabaseAccess {
    /// How long a server is waited for where nothing else is configured.
    package static let patience = Duration.seconds(300)

    /// What a session is for: leases are renewed however busy the others are.
    package enum Purpose: Hashable, Sendable { case work, leases }

    private struct Waiter {
        let ticket: UInt64
        let continuation: CheckedContinuation<Bool, Never>
    }

    package nonisolated let database: PostgresConfiguration
    nonisolated let logger: Logger
    nonisolated let retrying: SessionRetrying
    private var lanes: [Purpose: SessionLane]
    private var idle: [Purpose: [PostgresConnection]] = [:]
    private var waiting: [Purpose: [Waiter]] = [:]
    private var lastTicket: UInt64 = 0
    private var outage: DatabaseOutage?
    private var backends: [ObjectIdentifier: LeftSession] = [:]
    /// By which its sessions are known while it leads a run, and those that have the name already.
    private var name: SessionName?
    private var named: Set<ObjectIdentifier> = []
    /// Sessions that we lost and the server may still have, with their locks.
    private var lost: [LeftSession] = []

    /// `limit`: sessions for work at once.
    ///
    /// `patience`: how long a server that is away is waited for, from the first loss on.
    package init(
        _ database: PostgresConfiguration, limit: Int = 1, patience: Duration = DatabaseSessions.patience,
        logger: Logger
    ) {
        self.database = database
        self.logger = logger
        retrying = SessionRetrying(patience: patience)
        lanes = [.work: SessionLane(limit: limit), .leases: SessionLane(limit: 1)]
    }

    package func name(_ name: SessionName) {
        self.name = name
        named = []
    }

    func giveName(to connection: PostgresConnection) async throws(PostgresError) {
        guard let name, named.insert(ObjectIdentifier(connection)).inserted else { return }
        try await name.give(to: connection)
    }

    /// Ends the sessions that are not in use.
    package func close() async {
        for connection in idle.values.joined() { await connection.close() }
        idle = [:]
    }

    /// A session: an idle one, a new one, or that of who gives one back first.
    func borrow(_ purpose: Purpose) async throws -> PostgresConnection {
        var isFirst = false
        while true {
            guard await enter(purpose, first: isFirst) else { throw CancellationError() }
            if let connection = idle[purpose]?.popLast() { return try await endingLost(on: connection, purpose) }
            do {
                return try await open(purpose)
            } catch let error as PostgresError {
                leave(purpose)
                guard error.isTooManyConnections else { throw error }
                guard purpose == .work, lanes[.work]?.narrow(at: .now) == true else { throw lacking(error) }
                logger.warning("\(lacking(error).message); going on with \(lanes[.work]?.open ?? 0) for a minute")
                isFirst = true
            }
        }
    }

    /// Takes a session back.
    ///
    /// `failure`: what its work threw.
    func giveBack(_ connection: PostgresConnection, _ purpose: Purpose, after failure: (any Error)?) async {
        let isLost = failure.map(PostgresError.isOutage) ?? false
        if !isLost, await connection.isIdle {
            endOutage()
            idle[purpose, default: []].append(connection)
        } else {
            await drop(connection, purpose, isLost: isLost)
        }
        leave(purpose)
    }

    /// The wait before the next try.
    ///
    /// Throws the error where the server was waited for long enough.
    func pause(after error: any Error, tries: Int) async throws -> Duration {
        let now = ContinuousClock.now
        let current = outage ?? DatabaseOutage(began: now)
        if outage == nil {
            outage = current
            logger.warning("\(retrying.words(for: error)); trying again for \(retrying.patience.components.seconds) s")
        }
        // Another task may end the outage meanwhile: that is no reason to give up.
        await dropIdle()
        guard !current.isOver(retrying.patience, at: now), tries < SessionRetrying.mostTries else {
            throw error
        }
        return retrying.pause(afterTry: tries)
    }
}

extension DatabaseSessions {
    private func open(_ purpose: Purpose) async throws -> PostgresConnection {
        let connection = try await PostgresConnection.connect(database, logger: logger)
        do {
            if let row = try await connection.query(SQL.Pipeline.ownSession).first {
                backends[ObjectIdentifier(connection)] = LeftSession(
                    process: try row.int64("pid"), startedAt: try row.instant("started_at"),
                    whose: "of this job, which lost its connection")
            }
            try await endLost(on: connection)
        } catch {
            backends.removeValue(forKey: ObjectIdentifier(connection))
            await connection.close()
            throw error
        }
        lanes[purpose]?.opened()
        endOutage()
        return connection
    }

    private func endingLost(
        on connection: PostgresConnection, _ purpose: Purpose
    ) async throws -> PostgresConnection {
        do {
            try await endLost(on: connection)
        } catch {
            await giveBack(connection, purpose, after: error)
            throw error
        }
        return connection
    }

    /// What a lost session has not committed must not be in the way, and what it has must be seen.
    private func endLost(on connection: PostgresConnection) async throws {
        while let backend = lost.popLast() {
            do {
                let ending = try await backend.end(on: connection)
                // A standby that took the server's place may have given its number to somebody else's.
                if let ending, ending.isOwn, ending.isEnded != true { ending.report(to: logger) }
            } catch {
                lost.append(backend)
                throw error
            }
        }
    }

    private func endOutage() {
        guard let ended = outage else { return }
        outage = nil
        logger.notice("the database answers again, after \(ended.seconds(until: .now)) s")
    }

    private func drop(_ connection: PostgresConnection, _ purpose: Purpose, isLost: Bool) async {
        lanes[purpose]?.closed()
        let backend = backends.removeValue(forKey: ObjectIdentifier(connection))
        named.remove(ObjectIdentifier(connection))
        if isLost, let backend { lost.append(backend) }
        await connection.close()
    }

    /// Where one session is lost, those that are not in use may be lost as well.
    private func dropIdle() async {
        let unused = idle
        idle = [:]
        for (purpose, connections) in unused {
            for connection in connections { await drop(connection, purpose, isLost: false) }
        }
    }

    private func lacking(_ error: PostgresError) -> PostgresError {
        ConnectionNeed.lacking(ConnectionNeed.night(workers: lanes[.work]?.limit ?? 1), error)
    }
}

extension DatabaseSessions {
    /// Waits for a turn; false when the task was cancelled instead.
    private func enter(_ purpose: Purpose, first: Bool) async -> Bool {
        guard !Task.isCancelled else { return false }
        if first || waiting[purpose, default: []].isEmpty, lanes[purpose]?.take(at: .now) == true { return true }
        lastTicket += 1
        let ticket = lastTicket
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: false) }
                let waiter = Waiter(ticket: ticket, continuation: continuation)
                waiting[purpose, default: []].insert(waiter, at: first ? 0 : waiting[purpose, default: []].endIndex)
            }
        } onCancel: {
            Task { await withdraw(ticket, purpose) }
        }
    }

    private func withdraw(_ ticket: UInt64, _ purpose: Purpose) {
        guard let place = waiting[purpose]?.firstIndex(where: { $0.ticket == ticket }) else { return }
        waiting[purpose]?.remove(at: place).continuation.resume(returning: false)
    }

    private func leave(_ purpose: Purpose) {
        lanes[purpose]?.giveBack()
        while waiting[purpose]?.isEmpty == false, lanes[purpose]?.take(at: .now) == true {
            waiting[purpose]?.removeFirst().continuation.resume(returning: true)
        }
    }
}
