// SPDX-License-Identifier: Apache-2.0

import Runs

/// Waits for an answer no longer than a limit, whatever holds it up: connecting blocks a thread, and is not interrupted.
enum AnswerLimit {
    /// Of `status`: whoever watches wants to know soon.
    static let ofStatus = Duration.seconds(5)

    /// Throws `PipelineError` `.databaseBusy` where the answer is not there in time; the question is cancelled then.
    static func within<Answer: Sendable>(
        _ limit: Duration, _ question: @Sendable @escaping () async throws -> Answer
    ) async throws -> Answer {
        let (answers, first) = AsyncStream.makeStream(of: Result<Answer, any Error>.self)
        let asking = Task {
            do {
                first.yield(.success(try await question()))
            } catch {
                first.yield(.failure(error))
            }
        }
        let waiting = Task {
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            first.yield(
                .failure(
                    PipelineError(
                        .databaseBusy,
                        "the database does not answer within \(limit.components.seconds) seconds: check that the server runs and "
                            + "that database.url names it")))
        }
        defer {
            asking.cancel()
            waiting.cancel()
        }
        for await answer in answers { return try answer.get() }
        throw CancellationError()
    }
}
