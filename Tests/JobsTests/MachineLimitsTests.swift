// SPDX-License-Identifier: Apache-2.0

import HTTP
import TestSupport
import Testing

@testable import subledger

/// What the system lets a job have is read when it starts: too little is one sentence with the number that is needed.
@Suite(.hangLimit) struct MachineLimitsTests {
    private static func limits(soft: UInt64, hard: UInt64, space: UInt64 = .max) -> MachineLimits {
        MachineLimits(descriptors: MachineLimits.Limit(soft: soft, hard: hard), addressSpace: space)
    }

    private static let needs = MachineLimits.Needs(descriptors: 2_000, addressSpace: 1 << 30)

    @Test(
        arguments: [(1_999, 1_999, nil), (1_024, 4_096, 2_000), (1_024, 2_000, 2_000), (2_000, 2_000, nil)]
            as [(UInt64, UInt64, UInt64?)])
    func `the process raises its own limit of open files where it may`(soft: UInt64, hard: UInt64, raised: UInt64?)
        throws
    {
        guard hard >= 2_000 else {
            let error = #expect(throws: UsageError.self) {
                try Self.limits(soft: soft, hard: hard).raised(to: Self.needs)
            }
            #expect(error?.lines.first?.contains("may need 2000 open files, and the system allows it 1999") == true)
            return
        }
        #expect(try Self.limits(soft: soft, hard: hard).raised(to: Self.needs) == raised)
    }

    @Test func `too little address space is said in the unit of ulimit`() {
        let error = #expect(throws: UsageError.self) {
            try Self.limits(soft: 4_096, hard: 4_096, space: (1 << 30) - 1).raised(to: Self.needs)
        }
        #expect(error?.lines.first?.contains("may need 1048576 kB of address space") == true)
        #expect(throws: Never.self) {
            try Self.limits(soft: 4_096, hard: 4_096, space: 1 << 30).raised(to: Self.needs)
        }
    }

    /// Three hosts of two connections and four besides, or of eight; 80 for the program and one for each worker.
    @Test func `what a job needs grows by its clients and workers`() {
        #expect(Self.needs(of: 1, over: .http2, loading: 2).descriptors == 80 + 2 + 10)
        let many = Self.needs(of: 100, over: .http1, loading: 4)
        #expect(many.descriptors == 80 + 4 + 100 * 28)
        #expect(many.addressSpace == (1 << 30) + 100 * (1 << 20))
    }

    @Test func `three thousand apps need no more than sixty-four do`() {
        #expect(Self.needs(of: 3_000, over: .http2, loading: 2) == Self.needs(of: 64, over: .http2, loading: 2))
    }

    private static func needs(of count: Int, over version: HTTPVersion, loading workers: Int) -> MachineLimits.Needs {
        let apps = (1...count).map { AppConfiguration.receipts(number: $0, over: version) }
        return MachineLimits.Needs(of: Set(apps.map(ClientPlan(apps).place)), loading: workers)
    }

    @Test(arguments: [("ulimit -n 60", "91 open files"), ("ulimit -v 1000000", "1049600 kB of address space")])
    func `a night that has no room ends with 64 before it begins`(limit: String, words: String) async throws {
        try await ConfigurationFolder.with { folder in
            let program = try InstalledProgram.path()
            let run = try await CommandLineRun(
                product: "/bin/sh", arguments: ["-c", "\(limit) && exec \"$0\" nightly --workers 1", program],
                environment: ["SUBLEDGER_CONFIG": ""], folder: folder.path
            ).run()
            #expect(run.exitCode == 64, "\(run.standardError)")
            #expect(run.standardError.contains(words))
            #expect(folder.contents == ["key.p8", "root.cer", "subledger.yaml"])
        }
    }
}
