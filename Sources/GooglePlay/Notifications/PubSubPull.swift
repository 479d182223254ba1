// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores

/// Drains a Pub/Sub subscription: a thousand messages at a time, acknowledged when they are committed, until it says twice
/// in a row that there are none.
struct PubSubPull: NotificationPull {
    /// Messages per request, the most that Pub/Sub gives.
    private static let perRequest = 1_000
    /// Requests of one pull at most: what is published meanwhile must not keep it for ever.
    private static let mostRequests = 1_000
    private static let emptyAnswersToStop = 2

    let pubSub: PubSub
    let conversation: Conversation
    private var emptyAnswers = 0
    private var requests = 0

    init(_ pubSub: PubSub, through conversation: Conversation) {
        self.pubSub = pubSub
        self.conversation = conversation
    }

    mutating func next() async throws(StoreFailure) -> NotificationBatch? {
        while emptyAnswers < Self.emptyAnswersToStop, requests < Self.mostRequests {
            requests += 1
            let answer = try await pull()
            guard answer.messages.isEmpty else {
                emptyAnswers = 0
                return NotificationBatch(
                    notifications: answer.messages.map { RawNotification(source: .playRTDN, payload: $0.payload) },
                    acknowledgements: answer.messages.compactMap(\.acknowledgement))
            }
            emptyAnswers += 1
        }
        return nil
    }

    func acknowledge(_ batch: NotificationBatch) async throws(StoreFailure) {
        guard !batch.acknowledgements.isEmpty else { return }
        let body = try? JSONEncoder().encode(["ackIds": batch.acknowledgements.map { $0.reveal() }])
        _ = try await pubSub.post("acknowledge", Array(body ?? Data()), through: conversation)
    }

    /// At once: a request that waits for messages would hold the night up when there are none.
    private func pull() async throws(StoreFailure) -> PullAnswer {
        let body = Array("{\"maxMessages\":\(Self.perRequest),\"returnImmediately\":true}".utf8)
        let answer = try await pubSub.post("pull", body, through: conversation)
        guard let decoded = try? JSONDecoder().decode(PullAnswer.self, from: Data(answer)) else {
            throw .unreadableByPlay
        }
        return decoded
    }
}

/// The answer to `pull`; an empty object is a good one.
private struct PullAnswer: Decodable {
    struct Received: Decodable {
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

        init(from decoder: any Decoder) throws {
            let fields = try Fields(decoder)
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

    init(from decoder: any Decoder) throws {
        let received: [Received?] = try Fields(decoder).list("receivedMessages") ?? []
        messages = received.compactMap(\.self)
    }
}
