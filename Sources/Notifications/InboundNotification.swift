// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Stores

/// A notification on its way through a run: what its store's room read out of it, and what becomes of it.
struct InboundNotification {
    /// As `notification_inbox.state` has them.
    enum State: String { case applied, ignored, refused }

    /// Its row of the inbox; nil for one that was fetched.
    let id: Int64?
    let raw: RawNotification
    private(set) var opened: Result<Hint, NotificationRefusal>
    var state: State
    var reason: String?
    var isDuplicate = false

    init(id: Int64? = nil, _ raw: RawNotification, readBy store: any Store) {
        self.id = id
        self.raw = raw
        opened = Result { () throws(NotificationRefusal) in try store.hint(in: raw) }
        switch opened {
        case .success(let hint): (state, reason) = (.ignored, hint.remark)
        case .failure(let refusal): (state, reason) = (.refused, refusal.description)
        }
    }

    var hint: Hint? { try? opened.get() }

    /// A refused one is known by its text alone: the id in it may be somebody else's.
    var dedupeKey: String { hint?.dedupeKey ?? raw.textKey }

    /// What follows from it cannot be stored: it is refused, and its neighbours go on.
    mutating func refuse(because error: PostgresError) {
        let refusal = NotificationRefusal(reason: "refused_by_database", detail: error.description)
        (opened, state, reason) = (.failure(refusal), .refused, refusal.description)
    }

    mutating func markAsDuplicate() {
        (isDuplicate, reason) = (true, hint == nil ? reason : "a duplicate")
    }

    /// Applies it where anything it is about is known.
    mutating func resolve(isAnyKnown: Bool) {
        guard let hint, !isDuplicate, !hint.targets.isEmpty else { return }
        (state, reason) = isAnyKnown ? (.applied, nil) : (.ignored, "about no subscription that is known")
    }
}
