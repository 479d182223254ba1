// SPDX-License-Identifier: Apache-2.0

/// The database, as far as it could be reached.
package enum DatabaseFacts: Sendable {
    /// Why, in a sentence.
    case unavailable(String)
    /// The private one, which the first job that writes will make.
    case notMadeYet
    case server(ServerFacts)

    var findings: [Finding] {
        switch self {
        case .unavailable(let sentence):
            [.toDo("database", sentence), .skipped("schema, rights, connections", "the database could not be asked")]
        case .notMadeYet:
            [.fine("database", "a private PostgreSQL below data:, which the first job makes and starts")]
        case .server(let server): server.findings
        }
    }
}

/// What a server said to the role that nights work with.
package struct ServerFacts: Sendable {
    package var version: String
    package var encoding: String
    package var database: String
    package var role: String
    package var isStandby: Bool
    package var rights: RightFacts
    package var settings: SettingFacts
    package var connections: ConnectionFacts?
    /// Why the time zone of the reports cannot be used; nil: it can.
    package var zoneProblem: String?
    package var reference: ReferenceFacts?
    package var night: NightFacts?

    package init(
        version: String, encoding: String = "UTF8", database: String, role: String, isStandby: Bool = false,
        rights: RightFacts, settings: SettingFacts, connections: ConnectionFacts? = nil, zoneProblem: String? = nil,
        reference: ReferenceFacts? = nil, night: NightFacts? = nil
    ) {
        (self.version, self.encoding, self.database, self.role) = (version, encoding, database, role)
        (self.isStandby, self.rights, self.settings, self.connections) = (isStandby, rights, settings, connections)
        (self.zoneProblem, self.reference, self.night) = (zoneProblem, reference, night)
    }

    var findings: [Finding] {
        let zone =
            zoneProblem.map { Finding.toDo("time zone", $0) }
            ?? .fine("time zone", "this machine and the server know reports.time_zone alike")
        return [server] + rights.findings(of: role, in: database) + settings.findings
            + (connections.map { [$0.finding] } ?? []) + [zone] + (reference?.findings ?? [])
            + (night.map { [$0.finding] } ?? [])
    }

    private var server: Finding {
        let name = "PostgreSQL \(version), database \(database), role \(role)"
        if isStandby {
            return .toDo("database", "\(name) is a standby, which takes no rows: name the primary in database.url")
        }
        guard encoding == "UTF8" else {
            return .toDo(
                "database",
                "\(name) has the encoding \(encoding), which cannot hold every name: make a database with encoding UTF8"
            )
        }
        return .fine("database", name)
    }
}
