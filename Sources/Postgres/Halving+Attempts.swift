// SPDX-License-Identifier: Apache-2.0

extension Halving {
    /// Writes records in one transaction, so many times at most: after a moment where the database asks for another attempt, and
    /// without those that it refuses where one of them may be what it refuses.
    ///
    /// `isOvertaken`: somebody else was faster; the next attempt sees what they did.
    /// `onRetry`: is called with what the database asked for another attempt for.
    /// `withoutRefused`: the records to write instead; it throws what no record is the cause of.
    /// Throws the last attempt's error, or one that another attempt does not help.
    package static func write<Record, Value>(
        _ records: [Record], attempts: Int, isOvertaken: (any Error) -> Bool = { _ in false },
        onRetry: (PostgresError) -> Void, withoutRefused: ([Record]) async throws -> [Record],
        _ work: ([Record]) async throws -> Value
    ) async throws -> Value {
        var (records, isRefused, attempt) = (records, false, 0)
        while true {
            attempt += 1
            do {
                if isRefused { records = try await withoutRefused(records) }
                isRefused = false
                return try await work(records)
            } catch  where attempt < attempts && isOvertaken(error) {
                continue
            } catch let error as PostgresError where attempt < attempts {
                if error.disposition == .retry, !error.isOutage {
                    onRetry(error)
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0..<200) * attempt))
                } else if error.isPerhapsOfRecord, !isRefused {
                    isRefused = true
                } else {
                    throw error
                }
            }
        }
    }
}
