// SPDX-License-Identifier: Apache-2.0

/// Finds the records that the database refuses, so that their neighbours go on: what cannot be done with several at once is done with
/// halves of them, until each that is refused is refused by itself.
package enum Halving {
    /// Why each of those that are refused is, by its place among the records; none where somebody else was faster, and all are taken
    /// now.
    ///
    /// `work`: done with none first, then with all of them, then with ever smaller parts in their order. A part that it
    /// returns for is taken.
    /// Throws what no record is the cause of: an error of another kind; what fails without any record, or, of a kind
    /// that does not name records as the cause, in one and the same way with each.
    package static func refused<Record>(
        among records: [Record], by work: (ArraySlice<Record>) async throws -> Void
    ) async throws -> [Int: PostgresError] {
        try await work([])
        var refused: [Int: PostgresError] = [:]
        try await halve(records[...], work, refused: &refused)
        if records.count > 1, refused.count == records.count, let cause = commonCause(of: refused) { throw cause }
        return refused
    }

    private static func halve<Record>(
        _ part: ArraySlice<Record>, _ work: (ArraySlice<Record>) async throws -> Void,
        refused: inout [Int: PostgresError]
    ) async throws {
        do {
            try await work(part)
        } catch let error as PostgresError where error.isPerhapsOfRecord {
            guard part.count > 1 else {
                if let place = part.indices.first { refused[place] = error }
                return
            }
            let middle = part.startIndex + part.count / 2
            try await halve(part[..<middle], work, refused: &refused)
            try await halve(part[middle...], work, refused: &refused)
        }
    }

    /// The error of all of them, of a kind that may be the server's or the program's as well.
    private static func commonCause(of refused: [Int: PostgresError]) -> PostgresError? {
        guard let first = refused.values.first, first.disposition != .setAside else { return nil }
        return refused.values.allSatisfy { $0.sqlState == first.sqlState } ? first : nil
    }
}
