// SPDX-License-Identifier: Apache-2.0

/// One kind of question that a store counts by itself: its name in summaries, and the rate the store publishes for it.
package struct Endpoint: Hashable, Sendable {
    /// What its questions are part of: it decides what follows when they must wait.
    package enum Part: Hashable, Sendable {
        /// The question itself: none begins when the night's time is over.
        case inquiry
        /// What completes an answer that has started: asked even when the night's time is over.
        case completion
        /// Store events (notifications, voided purchases): never worth holding a night up for.
        case hint
    }

    /// A short name for logs and counts, such as `statuses`.
    package let name: String
    /// What the store allows one app, in requests a second.
    package let publishedRate: Double
    package let part: Part
    /// A question is about many ids at once: that it fails says nothing about one of them.
    package let isBatch: Bool

    package init(name: String, publishedRate: Double, part: Part = .inquiry, isBatch: Bool = false) {
        self.name = name
        self.publishedRate = publishedRate
        self.part = part
        self.isBatch = isBatch
    }
}
