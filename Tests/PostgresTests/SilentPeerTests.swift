// SPDX-License-Identifier: Apache-2.0

import Foundation
import Postgres
import TestSupport
import Testing

/// A peer that takes connections and never says a word.
@Suite struct SilentPeerTests {
    @Test func `a server that is silent within the connect limit is called once, and the error says so`() async throws {
        let silence = try SilentServer()
        let configuration = try PostgresConfiguration(
            url: "postgresql://etl@127.0.0.1:\(silence.port)/billing?sslmode=require&connect_timeout=2")
        let error = await thrown(PostgresError.self) { _ = try await PostgresConnection.connect(configuration) }
        #expect(error?.code == .connectionFailed && error?.disposition == .retry)
        #expect(error?.message.contains("timeout expired") == true)
        #expect(silence.callers() == 1)
    }
}
