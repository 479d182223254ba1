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
    private struct Overtaken: Error {}

    /// Writes 0, 1 and 2, of which 1 is refused where `refusal` says so; each attempt ends with the next of `endings`, then well.
    private static func attempts(
        _ endings: [any Error], most: Int = 5, refusal: PostgresError? = nil
    ) async throws -> (written: [Int], attempts: Int, retries: Int) {
        var (endings, attempts, retries) = (endings, 0, 0)
        let written = try await Halving.write(
            [0, 1, 2], attempts: most, isOvertaken: { $0 is Overtaken }, onRetry: { _ in retries += 1 },
            withoutRefused: { $0.filter { $0 != 1 } }
        ) { records in
            attempts += 1
            if !endings.isEmpty { throw endings.removeFirst() }
            if let refusal, records.contains(1) { throw refusal }
            return records
        }
        return (written, attempts, retries)
    }

    private static let deadlock = PostgresError(.statementFailed, "no", sqlState: "40P01")
    private static let tooLong = PostgresError(.statementFailed, "no", sqlState: "54000")

    @Test func `records are written again after a deadlock or somebody who was faster, and without a refused one`()
        async throws
    {
        let again = try await Self.attempts([Self.deadlock, Overtaken(), Self.deadlock])
        #expect(again.written == [0, 1, 2] && again.attempts == 4 && again.retries == 2)
        let without = try await Self.attempts([Self.deadlock], refusal: Self.tooLong)
        #expect(without.written == [0, 2] && without.attempts == 3 && without.retries == 1)
    }

    @Test func `the last attempt's error is thrown, and at once one that another attempt does not help`() async throws {
        let last = await #expect(throws: PostgresError.self) {
            _ = try await Self.attempts([Self.deadlock, Self.deadlock], most: 2)
        }
        #expect(last?.sqlState == "40P01")
        await #expect(throws: Overtaken.self) { _ = try await Self.attempts([Overtaken(), Overtaken()], most: 2) }
        let lost = await #expect(throws: PostgresError.self) {
            _ = try await Self.attempts([PostgresError(.connectionLost, "no", sqlState: "57P01")])
        }
        #expect(lost?.code == .connectionLost)
    }
}
