// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Model
import Stores

/// Drains a Pub/Sub subscription: a thousand messages at a time, acknowledged when they are committed, until nothing
/// comes any more.
///
/// An empty answer proves nothing by itself: a request is put to some of the servers that hold messages only.
struct PubSubPull: NotificationPull {
    /// Messages per request, the most that Pub/Sub gives.
    private static let perRequest = 1_000
    /// Requests of one pull at most: what is published meanwhile must not keep it for ever.
    private static let mostRequests = 1_000
    /// In a row.
    static let emptyAnswersToStop = 5
    /// A request without messages is held open for a while.
    ///
    /// Together: what is published later is for the next run.
    static let longestSilence = Duration.seconds(45)
    /// Longer than the server holds a request without messages, a minute and a half.
    private static let limits = HTTPLimits(firstByte: .seconds(120), total: .seconds(150))

    let pubSub: PubSub
    let client: ThrottledClient
    private var emptyAnswers = 0
    private var silence = Duration.zero
    private var requests = 0

    init(_ pubSub: PubSub, through client: ThrottledClient) {
        self.pubSub = pubSub
        self.client = client
    }

    mutating func next() async throws(StoreFailure) -> NotificationBatch? {
        while emptyAnswers < Self.emptyAnswersToStop, silence < Self.longestSilence, requests < Self.mostRequests {
            requests += 1
            let asked = ContinuousClock.now
            let answer = try await pull()
            guard answer.messages.isEmpty else {
                (emptyAnswers, silence) = (0, .zero)
                return NotificationBatch(
                    notifications: answer.messages.map { RawNotification(source: .playRTDN, payload: $0.payload) },
                    acknowledgements: answer.messages.compactMap(\.acknowledgement))
            }
            emptyAnswers += 1
            silence += asked.duration(to: .now)
        }
        return nil
    }

    func acknowledge(_ batch: NotificationBatch) async throws(StoreFailure) {
        guard !batch.acknowledgements.isEmpty else { return }
        let body = try? JSONEncoder().encode(["ackIds": batch.acknowledgements.map { $0.reveal() }])
        _ = try await pubSub.post("acknowledge", Array(body ?? Data()), through: client)
    }

    /// Waits for messages as long as the server holds it: an answer that it must give at once is empty more often than the
    /// queue is.
    private func pull() async throws(StoreFailure) -> PullAnswer {
        let body = Array("{\"maxMessages\":\(Self.perRequest)}".utf8)
        let answer = try await pubSub.post("pull", body, limits: Self.limits, through: client)
        guard let decoded = PullAnswer(json: answer) else {
            throw .unreadableByPlay
        }
        return decoded
    }
}

/// The answer to `pull`; an empty object is a good one.
private struct PullAnswer: JSONReadable {
    struct Received: JSONReadable {
        private struct Stored: Encodable {
            let message: Message
        }

        private struct Message: Encodable {
            let data: String?
            let messageId: String?
            let publishTime: String?
        }

        let acknowledgement: Secret?
        /// As a push would have brought it.
        let payload: Secret

        init(_ fields: Fields) throws {
            let message = fields.object("message")
            let stored = Stored(
                message: Message(
                    data: message?.text("data"), messageId: message?.text("messageId"),
                    publishTime: message?.text("publishTime")))
            acknowledgement = fields.text("ackId").map(Secret.init)
            payload = Secret(String(decoding: try JSONEncoder().encode(stored), as: UTF8.self))
        }
    }

    let messages: [Received]

    init(_ fields: Fields) {
        let received: [Received?] = fields.list("receivedMessages") ?? []
        messages = received.compactMap(\.self)
    }
}
