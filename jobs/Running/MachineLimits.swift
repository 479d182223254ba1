// SPDX-License-Identifier: Apache-2.0

import Glibc
import HTTP

/// What the system lets this process have: read when a job starts, so that a limit that is too low is one sentence and not a night
/// of connections that could not be opened.
struct MachineLimits: Hashable {
    /// The limit in force, and up to where the process may raise it by itself.
    struct Limit: Hashable {
        var soft: UInt64
        var hard: UInt64
    }

    /// What a job may need at most.
    struct Needs: Hashable {
        /// Files, sockets and what libcurl and Swift wait with.
        var descriptors: UInt64
        /// Bytes, unused parts of stacks among them.
        var addressSpace: UInt64
    }

    /// Of open files.
    var descriptors: Limit
    /// In bytes.
    var addressSpace: UInt64

    /// What the limit of open files must be raised to; nil where it need not be.
    ///
    /// Throws what the system does not allow.
    func raised(to needs: Needs) throws(UsageError) -> UInt64? {
        guard needs.addressSpace <= addressSpace else {
            throw UsageError(
                "subledger: this job may need \(needs.addressSpace / 1_024) kB of address space, and the system allows it "
                    + "\(addressSpace / 1_024) kB: allow more (`ulimit -v`, or LimitAS= in its unit), or name fewer apps "
                    + "with --app")
        }
        guard needs.descriptors > descriptors.soft else { return nil }
        guard needs.descriptors <= descriptors.hard else {
            throw UsageError(
                "subledger: this job may need \(needs.descriptors) open files, and the system allows it "
                    + "\(descriptors.hard): allow more (`ulimit -n \(needs.descriptors)`, or LimitNOFILE="
                    + "\(needs.descriptors) in its unit), or name fewer apps with --app")
        }
        return needs.descriptors
    }
}

extension MachineLimits.Needs {
    /// Files, the log, the report's folders, sessions with the database that no worker has, and Swift's own.
    private static let besides: UInt64 = 80
    /// At the most: a store, its sandbox, its tokens or its notifications.
    private static let hostsOfClient: UInt64 = 3
    /// A client's wakeup and the lookup of a name.
    private static let descriptorsOfClient: UInt64 = 4
    /// The program, its libraries, and the answers that are under way.
    private static let program: UInt64 = 1 << 30

    /// `workers`: so many have a session each.
    init(of clients: Set<ClientPlan.Place>, loading workers: Int) {
        let connections = clients.map { client in
            let perHost = HTTPClientConfiguration.connectionsPerHost(over: client.kind.version)
            return Self.hostsOfClient * UInt64(perHost) + Self.descriptorsOfClient
        }
        descriptors = Self.besides + UInt64(workers) + connections.reduce(0, +)
        addressSpace = Self.program + UInt64(clients.count) * UInt64(HTTPClientConfiguration.stackSize)
    }
}

extension MachineLimits {
    /// As the C library takes them.
    private enum Resource {
        static let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        static let addressSpace = __rlimit_resource_t(RLIMIT_AS.rawValue)
    }

    /// Those of this process.
    static func current() -> MachineLimits {
        MachineLimits(descriptors: read(Resource.files), addressSpace: read(Resource.addressSpace).soft)
    }

    /// Makes room for what a job may need; throws where the system does not allow it.
    static func provide(_ needs: Needs) throws(UsageError) {
        let limits = current()
        guard let descriptors = try limits.raised(to: needs) else { return }
        var raised = rlimit(rlim_cur: rlim_t(descriptors), rlim_max: rlim_t(limits.descriptors.hard))
        _ = unsafe setrlimit(Resource.files, &raised)
    }

    /// No limit at all is the largest number.
    private static func read(_ resource: __rlimit_resource_t) -> Limit {
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return Limit(soft: .max, hard: .max) }
        return Limit(soft: UInt64(limit.rlim_cur), hard: UInt64(limit.rlim_max))
    }
}
