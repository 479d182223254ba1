// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import StoreSimulator
import TestSupport
import Testing

/// The built program looks at an installation: real stores' answers, a real database, a real disk.
@Suite(.serialized, .hangLimit) struct DoctorTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"), .receipt(id: "acme-legacy", bundleID: "com.acme.old"),
        .play(id: "acme-android", packageName: "com.acme.app", api: .v2, grant: .serviceAccount),
    ]

    private static func world(_ body: (NightWorld, PostgresConnection) async throws -> Void) async throws {
        try await NightWorld.onOwnServer(seed: 91, customersPerApp: 4, apps: apps) { world, administrator in
            world.stores.setClock(NightWorld.instant(of: 1).micros)
            try await body(world, administrator)
        }
    }

    @Test func `an installation that is fine says so before and after it is migrated, and each store is asked once`()
        async throws
    {
        try await Self.world { world, _ in
            let new = try await world.doctor()
            #expect(new.exitCode == 0, "\(new.standardOutput)\(new.standardError)")
            #expect(new.standardOutput.contains("fine     rights: role etl may make the schema"))
            let asked = ["statuses": 1, "verify_receipt": 1, "voided_purchases": 1, "token": 1]
            #expect(world.stores.quotas.counters.requests == asked)
            #expect(try await world.subledger("migrate").exitCode == 0)
            let migrated = try await world.doctor()
            #expect(migrated.exitCode == 0, "\(migrated.standardOutput)\(migrated.standardError)")
            #expect(world.stores.quotas.counters.requests == asked.mapValues { 2 * $0 })
            let parts = [
                "configuration", "database", "schema", "rights", "settings", "connections", "time zone", "fees",
                "exchange rates", "app acme-ios, statuses", "app acme-legacy, verify_receipt",
                "app acme-android, voided_purchases", "clock", "certificates", "folder reports.directory", "disk",
                "schedule",
            ]
            for part in parts { #expect(migrated.standardOutput.contains("\nfine     \(part): ") || part == parts[0]) }
            let slices = try await world.connection.lines("select count(*) from subledger.quota_slices")
            #expect(slices != ["0"], "the pace was not shared")
            #expect(try await world.connection.lines("select count(*) from subledger.runs") == ["0"])
        }
    }

    @Test func `a wrong key, a missing right and a folder that cannot be made are named with what to do`() async throws
    {
        try await Self.world { world, administrator in
            #expect(try await world.subledger("migrate").exitCode == 0)
            let database = try await world.connection.lines("select current_database() as it")[0]
            try await administrator.script("revoke temporary on database \(database) from public, etl")
            world.stores.faults.plan(.unauthorized, times: 1, at: "statuses")
            let folder = [("directory: \(world.reports)", "directory: /proc/subledger/reports")]
            try await world.with(folder) {
                let result = try await world.doctor()
                #expect(result.exitCode == 2, "\(result.standardError)")
                let toDo = result.standardOutput.split(separator: "\n").filter { $0.hasPrefix("to do") }
                #expect(toDo.count == 3, "\(result.standardOutput)")
                #expect(toDo.contains { $0.contains("grant temporary on database \(database) to etl") })
                #expect(toDo.contains { $0.contains("acme-ios, statuses") && $0.contains("In-App Purchase key") })
                #expect(toDo.contains { $0.contains("reports.directory") && $0.contains("/proc") })
                #expect(result.standardOutput.contains("fine     app acme-legacy, verify_receipt: "))
            }
        }
    }

    @Test
    func `without a database, or a key that others can read, the rest is looked at; YAML that is none ends with 64`()
        async throws
    {
        try await Self.world { world, _ in
            let secret = world.directory + "/store/shared-secret-acme-legacy"
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: secret)
            try await world.with([("@/", "@/no_such_database_")]) {
                let result = try await world.doctor()
                #expect(result.exitCode == 2, "\(result.standardError)")
                #expect(result.standardOutput.contains("run chmod 600 on it"))
                #expect(result.standardOutput.contains("to do    database: "))
                #expect(result.standardOutput.contains("skipped  app acme-ios: "))
                #expect(result.standardOutput.contains("fine     folder reports.directory: "))
                let text = try String(contentsOfFile: secret, encoding: .utf8).trimmingCharacters(
                    in: .whitespacesAndNewlines)
                #expect(!text.isEmpty && !(result.standardOutput + result.standardError).contains(text))
            }
            try await world.with([("apps:", "apps: [")]) {
                let broken = try await world.doctor()
                #expect(broken.exitCode == 64, "\(broken.standardOutput)")
            }
        }
    }
}

extension NightWorld {
    fileprivate func doctor() async throws -> CommandLineRun.Result {
        try await subledger("doctor", "--now", Self.instant(of: 1).iso8601)
    }
}
