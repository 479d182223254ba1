// SPDX-License-Identifier: Apache-2.0

import Postgres
import Runs
import Testing

/// What is said where a server has too few connections.
@Suite struct ConnectionNeedTests {
    private static func said(of needed: Int) -> String {
        ConnectionNeed.lacking(needed, PostgresError(.connectionFailed, "too many", sqlState: "53300")).description
    }

    @Test func `a job of several workers may be given fewer`() {
        let needed = "this job takes up to 6 connections; let the server, the database and the role have as many"
        let sentence = Self.said(of: ConnectionNeed.night(workers: 4))
        #expect(sentence.contains("too many: \(needed), or give it fewer --workers"))
    }

    @Test func `a server that refuses a connection is there`() {
        let sentence = Self.said(of: ConnectionNeed.withoutLease)
        #expect(sentence.hasSuffix("the role have as many (SQLSTATE 53300)"))
        #expect(PostgresError(.connectionFailed, "no route").description.contains("check that the server runs"))
    }
}
