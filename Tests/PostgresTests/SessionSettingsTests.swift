// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Postgres
import TestSupport
import Testing

/// A session is the same whatever somebody has set for its role or its database.
@Suite(.hangLimit) struct SessionSettingsTests {
    /// A setting, what a DBA might choose, and what a session has to say all the same.
    struct Setting: CustomTestStringConvertible, Sendable {
        let name: String
        let chosen: String
        let expected: String
        var testDescription: String { name }

        init(_ name: String, _ chosen: String, _ expected: String) {
            (self.name, self.chosen, self.expected) = (name, chosen, expected)
        }
    }

    static let settings = [
        Setting("statement_timeout", "'1ms'", "0"), Setting("lock_timeout", "'1ms'", "0"),
        Setting("idle_in_transaction_session_timeout", "'1ms'", "0"), Setting("idle_session_timeout", "'1ms'", "0"),
        Setting("default_transaction_isolation", "'serializable'", "read committed"),
        Setting("default_transaction_deferrable", "on", "off"), Setting("array_nulls", "off", "on"),
        Setting("transform_null_equals", "on", "off"), Setting("DateStyle", "'German'", "ISO, YMD"),
        Setting("IntervalStyle", "'iso_8601'", "postgres"), Setting("TimeZone", "'Asia/Tokyo'", "UTC"),
        Setting("bytea_output", "'escape'", "hex"), Setting("extra_float_digits", "-15", "1"),
        Setting("standard_conforming_strings", "off", "on"),
        Setting("search_path", "public", "pg_catalog,subledger,marts,report,pg_temp"),
        Setting("row_security", "on", "off"), Setting("client_encoding", "'LATIN1'", "UTF8"),
        Setting("quote_all_identifiers", "on", "off"),
        Setting("plan_cache_mode", "'force_generic_plan'", "auto"), Setting("synchronize_seqscans", "off", "on"),
        Setting("check_function_bodies", "off", "on"),
    ]
    /// What 17 brought; below it there is no such setting.
    ///
    /// It counts from the first statement on, the one that lifts it included.
    static let ofSeventeen = Setting("transaction_timeout", "'20ms'", "0")

    /// Runs the body as a role that may log in and nothing more, and removes it.
    private static func asOrdinaryRole(
        _ body: (_ administrator: PostgresConnection, _ role: String, PostgresConfiguration) async throws -> Void
    ) async throws {
        try await withTestDatabase { connection, configuration in
            let role = "role_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
            try await connection.execute(.test("create role \(role) login"))
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(connection, role, configuration.with(user: role)))
            } catch { result = .failure(error) }
            try await connection.executeScript(.test("drop owned by \(role); drop role \(role)"))
            try result.get()
        }
    }

    private static func expect(_ setting: Setting, in configuration: PostgresConfiguration) async throws {
        let session = try await PostgresConnection.connect(configuration)
        let name = setting.name
        let value = try await session.query(.test("select current_setting('\(name)') as v"))[0].string("v")
        #expect(value == setting.expected)
        // Longer than any of the limits, within a transaction and between two statements.
        usleep(25_000)
        try await session.withTransaction { transaction in
            usleep(25_000)
            try await transaction.execute(.test("select pg_sleep(0.025)"))
        }
        await session.close()
    }

    @Test(arguments: settings) func `a session has its own, whatever its role or database says`(setting: Setting)
        async throws
    {
        try await Self.asOrdinaryRole { administrator, role, configuration in
            let database = try #require(configuration.database)
            for target in ["role \(role)", "database \(database)"] {
                try await administrator.execute(.test("alter \(target) set \(setting.name) = \(setting.chosen)"))
                try await Self.expect(setting, in: configuration)
                try await administrator.execute(.test("alter \(target) reset \(setting.name)"))
            }
        }
    }

    @Test func `a limit that only newer servers know is lifted on them, and asked of no other`() async throws {
        try await Self.asOrdinaryRole { administrator, role, configuration in
            let version = try await administrator.query(.test("select current_setting('server_version_num')::int as v"))
            guard try version[0].int("v") >= 170_000 else {
                let session = try await PostgresConnection.connect(configuration)
                let known = Statement.test("select count(*) as n from pg_settings where name = 'transaction_timeout'")
                #expect(try await session.query(known)[0].int("n") == 0)
                return await session.close()
            }
            try await administrator.execute(
                .test("alter role \(role) set transaction_timeout = \(Self.ofSeventeen.chosen)"))
            try await Self.expect(Self.ofSeventeen, in: configuration)
        }
    }

    /// Its parameters fit better than those of the built-in one, which takes any array: with `public` in the path it is called.
    @Test func `a function that strangers created in public is not called`() async throws {
        try await Self.asOrdinaryRole { administrator, _, configuration in
            try await administrator.executeScript(
                .test(
                    """
                    create function public.unnest(words text[]) returns setof text language sql as $$ select 'theirs' $$;
                    grant usage on schema public to public
                    """))
            let session = try await PostgresConnection.connect(configuration)
            let look = Statement.test("select word from unnest(array['ours']::text[]) as given (word)")
            #expect(try await session.query(look)[0].string("word") == "ours")
            try await session.execute(.test("set search_path = subledger, report, public, pg_temp"))
            #expect(try await session.query(look)[0].string("word") == "theirs", "the trap is none")
            await session.close()
        }
    }

    @Test func `sessions that role or database make read-only are a matter of configuration`() async throws {
        try await Self.asOrdinaryRole { administrator, role, configuration in
            let database = try #require(configuration.database)
            for target in ["role \(role)", "database \(database)"] {
                try await administrator.execute(.test("alter \(target) set default_transaction_read_only = on"))
                let error = await thrown(PostgresError.self) { _ = try await PostgresConnection.connect(configuration) }
                #expect(error?.code == .configuration && error?.disposition == .stop)
                #expect(error?.message.contains("default_transaction_read_only") == true, "\(error?.message ?? "none")")
                try await administrator.execute(.test("alter \(target) reset default_transaction_read_only"))
            }
        }
    }

    /// Over a unix socket they have no effect, and `setting` says 0.
    @Test func `the server looks whether the client's machine is there, and any role may have it do so`() async throws {
        try await Self.asOrdinaryRole { _, _, configuration in
            let session = try await PostgresConnection.connect(configuration)
            let own = "select name, reset_val, source from pg_settings where name like 'tcp_%' order by name"
            #expect(
                try await session.lines(own) == [
                    "tcp_keepalives_count|3|client", "tcp_keepalives_idle|30|client",
                    "tcp_keepalives_interval|10|client", "tcp_user_timeout|60000|client",
                ])
            await session.close()
        }
    }
}
