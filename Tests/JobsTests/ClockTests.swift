// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import PrivateServer
import Runs
import TestSupport
import Testing

@testable import subledger

/// A clock that is wrong must not become the clock of a run.
@Suite struct ClockTests {
    private static let noon = Instant(micros: 1_773_144_000_000_000)

    @Test func `now may lie an hour ahead of the wall clock and no more`() throws {
        let hour = Self.noon + .hours(1)
        #expect(try LogicalClock.now(given: nil, wall: Self.noon, isSimulated: false) == Self.noon)
        #expect(try LogicalClock.now(given: hour, wall: Self.noon, isSimulated: false) == hour)
        let past = Self.noon - .days(900)
        #expect(try LogicalClock.now(given: past, wall: Self.noon, isSimulated: false) == past)
        let late = hour + .seconds(1)
        #expect(throws: UsageError.self) {
            try LogicalClock.now(given: late, wall: Self.noon, isSimulated: false)
        }
        #expect(try LogicalClock.now(given: late, wall: Self.noon, isSimulated: true) == late)
    }

    @Test func `two clocks may be ten minutes apart and no more`() throws {
        for distance in [Span.zero, .minutes(10)] {
            try DatabaseClock.compare(machine: Self.noon, database: Self.noon + distance)
            try DatabaseClock.compare(machine: Self.noon + distance, database: Self.noon)
        }
        let far = Self.noon + .minutes(10) + .seconds(1)
        #expect(throws: PipelineError.self) { try DatabaseClock.compare(machine: Self.noon, database: far) }
        #expect(throws: PipelineError.self) { try DatabaseClock.compare(machine: far, database: Self.noon) }
    }

    /// Twenty minutes fast, as far as the program can detect.
    private static let fastClock = """
        struct timespec { long tv_sec; long tv_nsec; };
        void *dlsym(void *library, const char *name);
        int clock_gettime(int clock, struct timespec *time) {
            int (*real)(int, struct timespec *) = (int (*)(int, struct timespec *))dlsym((void *)-1, "clock_gettime");
            int result = real(clock, time);
            if (clock == 0) time->tv_sec += 1200;
            return result;
        }

        """

    @Test func `a machine whose clock differs from the database's does not start unless given the time`()
        async throws
    {
        try await withTestDatabase { connection, server in
            let yaml = "database: { url: '\(server)' }\n" + ConfigurationFolder.good
            try await ConfigurationFolder.with(yaml) { folder in
                try folder.write(Self.fastClock, to: "clock.c")
                // The compiler that came with Swift.
                let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
                let clang = try #require(
                    path.split(separator: ":").map { $0 + "/clang" }.first(where: FileManager.default.isExecutableFile))
                let compiler = try await ChildProcess([
                    clang, "-shared", "-fPIC", "-o", folder.path + "/clock.so", folder.path + "/clock.c",
                ]).run()
                try #require(compiler.status == 0, "\(compiler.output)")
                let fast = ["SUBLEDGER_CONFIG": "", "LD_PRELOAD": folder.path + "/clock.so"]
                func subledger(_ options: String..., environment: [String: String]) async throws
                    -> CommandLineRun.Result
                {
                    try await CommandLineRun(
                        product: "subledger", arguments: ["import", "subscriptions", "-", "--quiet"] + options,
                        environment: environment, folder: folder.path,
                        standardInput: "app_id,store_key\nacme-ios,1\n"
                    ).run()
                }
                let refused = try await subledger(environment: fast)
                #expect(refused.exitCode == 75, "\(refused.standardError)")
                #expect(refused.standardError.contains("more than 10 minutes apart"))
                let schemas = "select 1 from pg_namespace where nspname = 'subledger'"
                #expect(try await connection.lines(schemas) == [], "nothing was begun")
                let reported = try await subledger("--now", "2026-03-01T00:00:00Z", environment: fast)
                #expect(reported.exitCode == 0, "\(reported.standardError)")
                let right = try await subledger(environment: ["SUBLEDGER_CONFIG": ""])
                #expect(right.exitCode == 0, "\(right.standardError)")
            }
        }
    }
}
