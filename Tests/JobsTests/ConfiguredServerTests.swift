// SPDX-License-Identifier: Apache-2.0

import Postgres
import Testing

@testable import subledger

/// Which of two configured servers a job asks, and what it says of one that will not do.
@Suite struct ConfiguredServerTests {
    private static let standby = PostgresError(.readOnly, "host=a is a standby, which takes no writes")
    private static let jobs: [(DatabaseUse, String)] = [
        (.reading, "standby"), (.writing, "primary"), (.readingInTables(job: "cite"), "primary"),
    ]

    private static func server(for use: DatabaseUse, hasStandby: Bool = true) throws -> ConfiguredServer {
        let primary = try PostgresConfiguration(url: "postgresql://u@localhost/primary")
        let standby = try PostgresConfiguration(url: "postgresql://u@localhost/standby").forReadingAnywhere
        return ConfiguredServer(primary: primary, reading: hasStandby ? standby : nil, for: use)
    }

    @Test func `only who looks asks the standby, and without one everybody the primary`() throws {
        for (use, database) in Self.jobs {
            let server = try Self.server(for: use)
            #expect(server.database.database == database)
            #expect(server.key == (database == "standby" ? "read_url" : "url"))
            #expect(server.database.purpose == (use == .reading ? .reading : .writing))
            let alone = try Self.server(for: use, hasStandby: false)
            #expect(alone.database.database == "primary" && alone.key == "url")
            #expect(alone.database.purpose == server.database.purpose)
        }
    }

    @Test func `a standby may be promoted, but who needs tables of a session does not wait for it`() throws {
        #expect(try Self.server(for: .writing).refusal(Self.standby) == nil)
        #expect(try Self.server(for: .reading).refusal(Self.standby) == nil)
        let refusal = try Self.server(for: .readingInTables(job: "cite")).refusal(Self.standby)
        let sentence =
            "subledger: cite makes tables of its session, which a standby cannot have, and database.url names one (host=a is a "
            + "standby, which takes no writes): name the primary there, and the standby in database.read_url"
        #expect(refusal as? UsageError == UsageError(sentence))
    }

    @Test func `a server that refuses is named by its key, and one that is away is waited for`() throws {
        let wrong = PostgresError(.configuration, "no such role")
        let refusal = try Self.server(for: .reading).refusal(wrong)
        #expect(refusal as? UsageError == UsageError("subledger: database.read_url: no such role"))
        let refusalOfPrimary = try Self.server(for: .writing).refusal(wrong)
        #expect(refusalOfPrimary as? UsageError == UsageError("subledger: database.url: no such role"))
        #expect(try Self.server(for: .reading).refusal(PostgresError(.connectionFailed, "away")) == nil)
    }
}
