// SPDX-License-Identifier: Apache-2.0

import Postgres
import Testing

/// Which of several records is the cause of an error of the database, and when none is.
@Suite struct HalvingTests {
    /// Refuses every part that contains one of `poisoned`, with that code.
    private static func refused(
        among count: Int, poisoned: Set<Int>, _ sqlState: String, code: PostgresError.Code = .statementFailed
    ) async throws -> (places: [Int], taken: [Int]) {
        var taken: [Int] = []
        let refused = try await Halving.refused(among: Array(0..<count)) { part in
            guard poisoned.isDisjoint(with: part) else { throw PostgresError(code, "no", sqlState: sqlState) }
            taken += part
        }
        return (refused.keys.sorted(), taken)
    }

    /// P0001 is what an owner's trigger raises: its class names no record.
    @Test(arguments: ["54000", "P0001"])
    func `what some records cause is found, and every other one is taken once`(sqlState: String) async throws {
        let found = try await Self.refused(among: 20, poisoned: [0, 7, 19], sqlState)
        #expect(found.places == [0, 7, 19])
        #expect(found.taken == (0..<20).filter { ![0, 7, 19].contains($0) })
    }

    @Test func `what all of them cause alike is thrown, where its kind names no record`() async throws {
        let error = await #expect(throws: PostgresError.self) {
            try await Self.refused(among: 5, poisoned: Set(0..<5), "P0001")
        }
        #expect(error?.sqlState == "P0001")
        #expect(try await Self.refused(among: 2, poisoned: [0, 1], "22021", code: .badValue).places == [0, 1])
        #expect(try await Self.refused(among: 1, poisoned: [0], "P0001").places == [0])
    }

    @Test func `what fails without any record is thrown`() async throws {
        let error = await #expect(throws: PostgresError.self) {
            _ = try await Halving.refused(among: [1, 2]) { part in
                guard !part.isEmpty else { throw PostgresError(.constraintViolated, "no", sqlState: "23514") }
            }
        }
        #expect(error?.sqlState == "23514")
    }

    @Test func `a lost connection is no record's fault`() async throws {
        let error = await #expect(throws: PostgresError.self) {
            try await Self.refused(among: 4, poisoned: [2], "57P01", code: .connectionLost)
        }
        #expect(error?.code == .connectionLost)
    }
}
