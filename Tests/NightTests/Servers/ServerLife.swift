// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import SQLCatalog
import SimulatorServer
import StoreSimulator
import TestSupport

/// A short life of the whole program on one PostgreSQL server: every job once, both stores, three nights.
struct ServerLife {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app", hasNotificationURL: true),
        .receipt(id: "acme-legacy", bundleID: "com.acme.old", hasVersion1Notifications: true),
        .play(id: "acme-android", packageName: "com.acme.app", publishes: true),
    ]
    /// What a DBA may have set for the role of the batch: none of it may matter.
    static let unkindSettings = [
        "statement_timeout = '1ms'", "lock_timeout = '1ms'", "idle_in_transaction_session_timeout = '1ms'",
        "idle_session_timeout = '1ms'", "default_transaction_isolation = 'serializable'",
        "default_transaction_deferrable = on", "array_nulls = off", "transform_null_equals = on",
        "DateStyle = 'German'", "IntervalStyle = 'iso_8601'", "TimeZone = 'Asia/Tokyo'", "bytea_output = 'escape'",
        "extra_float_digits = -15", "standard_conforming_strings = off", "search_path = public",
        "client_encoding = 'LATIN1'", "quote_all_identifiers = on", "plan_cache_mode = 'force_generic_plan'",
        "synchronize_seqscans = off", "check_function_bodies = off",
    ]

    /// A role that owns nothing and may make nothing but tables of its session.
    static let nightRole = "night"

    let world: NightWorld
    let administrator: PostgresConnection

    /// Plays it there and gives what it left.
    ///
    /// `settings`: of the role that the program runs as, which is no superuser. `asOwner`: it owns the schema; else the
    /// owner makes it, and another role does everything else. `first`: what is done once the schema is made. `last`:
    /// what is tried afterwards.
    static func play(
        on cluster: TestCluster, settings: [String] = [], asOwner: Bool,
        first: (ServerLife) async throws -> Void = { _ in },
        last: (ServerLife) async throws -> Void = { _ in }
    ) async throws -> ServerPicture {
        try await NightWorld.onOwnServer(
            cluster, settings: settings, seed: 20_260_113, customersPerApp: 20, apps: apps
        ) { world, administrator in
            let life = ServerLife(world: world, administrator: administrator)
            try await life.begin(asOwner: asOwner, settings)
            try await first(life)
            try await life.nights()
            let answers = try await life.askAfterwards()
            let picture = try await ServerPicture(of: world, answers: answers)
            try await last(life)
            return picture
        }
    }

    /// The schema, the roles, the owner's lists.
    private func begin(asOwner: Bool, _ settings: [String]) async throws {
        _ = try await run("migrate")
        try await administrator.executeScript(SQL.Roles.roles)
        if !asOwner { try await handOver(settings) }
        let refusing = try await world.connection.tablesThatRefuseAColumn()
        guard refusing.isEmpty else { throw NightError("no column can be added to \(refusing)") }
        for (name, text) in world.stores.ownersLists.files {
            try text.write(toFile: "\(world.directory)/\(name)", atomically: true, encoding: .utf8)
        }
        let now = (NightWorld.firstNight - .hours(1)).iso8601
        for list in ["products", "prices", "tax-rates"] {
            _ = try await run("import", list, "\(world.directory)/\(list).csv", "--now", now)
        }
        _ = try await run(
            "import", "fx", "\(world.directory)/rates.csv", "--base", "USD", "--source", "owner", "--now", now)
    }

    /// From here on the program runs as that role.
    func handOver(_ settings: [String] = []) async throws {
        let (role, database) = (Self.nightRole, try await administrator.lines("select current_database() as it")[0])
        try await administrator.script(
            """
            drop role if exists \(role);
            create role \(role) login;
            grant subledger_night to \(role);
            revoke all on database \(database) from public;
            grant connect, temporary on database \(database) to \(role)
            """)
        for setting in settings { try await administrator.script("alter role \(role) set \(setting)") }
        let text = try String(contentsOfFile: world.configuration, encoding: .utf8)
        try text.replacing("//etl@", with: "//\(role)@")
            .write(toFile: world.configuration, atomically: true, encoding: .utf8)
    }

    /// Purchases come by import and by the inbox, notifications by the backend's endpoint and from the stores themselves.
    private func nights() async throws {
        try await world.night(1)
        try await world.night(2)
        let noon = NightWorld.instant(of: 2) + .hours(10)
        try await handIn(from: NightWorld.instant(of: 2), to: noon)
        _ = try await run("intake", "--now", noon.iso8601)
        _ = try await run("notifications", "--now", (noon + .hours(1)).iso8601)
        try await world.night(3)
        try await expectRolesRead()
    }

    private func handIn(from: Instant, to: Instant) async throws {
        world.stores.setClock(to.micros)
        try await world.handIn(world.stores.registrations(since: from.micros, until: to.micros), at: to)
    }

    private func expectRolesRead() async throws {
        for (role, reading) in [
            ("subledger_analyst", "select * from report.mrr_bridge"),
            ("subledger_analyst", "select * from marts.mrr_daily"),
            ("subledger_analyst", "select * from report.states_on('2026-01-06')"),
            ("subledger_backend", "select * from subledger.entitlements"),
        ] {
            try await administrator.script("set role \(role); \(reading); reset role")
        }
    }

    /// A second issue, the report as it was known a night before, the proof, a citation, and what other jobs tell.
    private func askAfterwards() async throws -> [String: String] {
        let now = (NightWorld.instant(of: 3) + .hours(2)).iso8601
        _ = try await run("report", "--now", now)
        _ = try await run(
            "report", "--as-of", (NightWorld.instant(of: 2) + .hours(1)).iso8601, "--out", world.directory + "/as-of",
            "--now", now)
        var answers = ["verify": try await run("report", "--verify", "--now", now)]
        for figure in ["mrr", "revenue[date=2026-01-06].gross_reporting"] {
            answers["cite \(figure)"] = try await run("cite", figure, "--now", now)
        }
        answers["export"] = Self.withoutLengths(try await run("notifications", "export", "--now", now))
        let id = try await world.connection.lines(
            "select min(transaction_id) from subledger.transactions where app_id = 'acme-ios'"
        ).first
        answers["explain"] = try await run("explain", id ?? "", "--now", now)
        _ = try await run("status", "--json", "--now", now)
        return answers
    }

    /// How long a notification was depends on its signatures, and its number on which of two stores was quicker.
    private static func withoutLengths(_ export: String) -> String {
        export.split(separator: "\n").map { line in
            var cells = line.split(separator: ",", omittingEmptySubsequences: false)
            if cells.count > 2 { cells.remove(at: 2) }
            return cells.joined(separator: ",")
        }.sorted().joined(separator: "\n")
    }

    private func run(_ arguments: String...) async throws -> String {
        let result = try await attempt(arguments)
        guard result.exitCode == 0 else {
            throw NightError("\(arguments) ended with \(result.exitCode): \(result.standardError.suffix(2_000))")
        }
        return result.standardOutput
    }

    /// However it ends.
    func attempt(_ arguments: [String]) async throws -> CommandLineRun.Result {
        try await CommandLineRun(product: "subledger", arguments: arguments + ["--config", world.configuration]).run()
    }
}
