// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Postgres

@Suite("Configuration of the connection")
struct ConfigurationTests {
    @Test(
        arguments: [
            ("postgresql://etl@db.internal/billing?sslmode=verify-full", false, "verify-full"),
            ("postgresql://etl@db.internal/billing", false, "prefer"),
            ("postgresql://etl@db.internal/billing?sslmode=require", false, "require"),
            ("postgresql://etl@localhost:5433/billing", true, "prefer"),
            ("postgresql://etl@127.0.0.1/billing?sslmode=disable", true, "disable"),
            ("postgresql://etl@[::1]/billing", true, "prefer"),
            ("postgresql://etl@127.0.0.1.example.com/billing", false, "prefer"),
            ("postgresql://etl@%2Fvar%2Frun%2Fpostgresql/billing", true, "prefer"),
            ("postgresql:///billing?host=/tmp", true, "prefer"), ("postgresql:///billing", true, "prefer"),
            ("host=/tmp dbname=billing", true, "prefer"),
            ("postgresql://etl@localhost/billing?hostaddr=203.0.113.7", false, "prefer"),
            ("postgresql://etl@localhost,db.internal/billing", false, "prefer"),
        ])
    func `a URL states whether the server is on this machine and how TLS is checked`(
        url: String, isLocal: Bool, sslMode: String
    ) throws {
        let configuration = try PostgresConfiguration(url: url)
        #expect(configuration.isLocal == isLocal && configuration.sslMode == sslMode)
    }

    @Test func `the password does not appear, however the configuration is printed`() throws {
        let configuration = try PostgresConfiguration(url: "postgresql://etl:hunter2@db.internal:5433/billing")
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), "\([configuration])", dumped] {
            #expect(!text.contains("hunter2"))
        }
        #expect(configuration.description == "host=db.internal port=5433 dbname=billing user=etl")
    }

    @Test(
        arguments: [
            ("postgresql://etl@db/billing", "disable"), ("host=db dbname=billing", "disable"),
            ("postgresql://etl@db/billing?gssencmode=require", "require"),
            ("postgresql://etl@db/billing?gssencmode=prefer", "prefer"),
        ])
    func `no ticket of Kerberos is looked for, unless somebody asks for it`(url: String, mode: String) throws {
        #expect(try PostgresConfiguration(url: url).connectionOptions["gssencmode"] == mode)
    }

    @Test func `an encoded password may contain anything`() throws {
        let configuration = try PostgresConfiguration(
            url: "postgresql://etl:a%40b%2Fc%3Ad@db:5433/bill%40ing?options=-c%20x%3Da@b/c")
        #expect(configuration.description == "host=db port=5433 dbname=bill@ing user=etl")
        #expect(configuration.connectionOptions["password"] == "a@b/c:d")
        let pairs = try PostgresConfiguration(url: "host=db dbname=billing password=x://a@b/c/d@e")
        #expect(pairs.connectionOptions["password"] == "x://a@b/c/d@e")
    }

    @Test(
        arguments: [
            "postgresql://etl:hunter2%zz@db/billing", "postgresql://etl:x@hunter2@db/billing",
            "postgresql://etl:hunter2/x@db/billing", "postgresql://etl@db/billing?password2=hunter2",
            "mysql://etl:hunter2@db", "host=db password='hunter2", "\0",
            // libpq takes these for a socket named @db and for a database of a host named etl.
            "postgresql://etl:hunter2@@db/billing", "postgresql://etl:5432/hunter2@db/billing",
            "postgresql://e/hunter2@db/billing", "postgresql://etl@db/billing/hunter2",
        ])
    func `a URL that libpq would quote with the password in it is refused without a quote`(url: String) {
        let error = #expect(throws: PostgresError.self) { try PostgresConfiguration(url: url) }
        #expect(error?.code == .configuration && error?.disposition == .stop)
        #expect(error?.description.contains("hunter2") == false)
    }

    /// Of the words that libpq knows for the servers of a URL.
    @Test(arguments: [
        ("", "primary", "primary", "any"), ("any", "primary", "any", "any"),
        ("prefer-standby", "primary", "prefer-standby", "prefer-standby"),
        ("standby", "primary", "standby", "standby"), ("read-write", "primary", "primary", "primary"),
        ("primary", "primary", "primary", "primary"),
    ])
    func `who writes asks a primary whatever the URL allows, and who looks any server that it allows`(
        configured: String, writing: String, reading: String, anywhere: String
    ) throws {
        let words = configured.isEmpty ? "" : "?target_session_attrs=\(configured)"
        var server = try PostgresConfiguration(url: "postgresql://u@localhost/d\(words)")
        #expect(server.connectionOptions["target_session_attrs"] == writing)
        #expect(server.forReadingAnywhere.connectionOptions["target_session_attrs"] == anywhere)
        server.purpose = .reading
        #expect(server.connectionOptions["target_session_attrs"] == reading)
    }

    /// Of two values the server takes the later one.
    @Test func `what the URL says of keepalives wins, of what statements rely on it does not`() throws {
        let server = try PostgresConfiguration(
            url: "postgresql://u@localhost/d?options=-c%20tcp_keepalives_idle%3D300%20-c%20jit%3Don")
        let options = try #require(server.connectionOptions["options"]).split(separator: " ")
        let idle = options.filter { $0.hasPrefix("tcp_keepalives_idle=") }
        #expect(idle == ["tcp_keepalives_idle=30", "tcp_keepalives_idle=300"])
        #expect(options.filter { $0.hasPrefix("jit=") } == ["jit=on", "jit=off"])
    }
}
