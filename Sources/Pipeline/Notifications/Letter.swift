// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// A notification on its way through a run: what the store's room made of it, and what becomes of it.
struct Letter {
    /// As `notification_inbox.state` has them.
    enum Verdict: String { case applied, ignored, refused }

    /// Its row of the inbox; nil for one that was fetched.
    let id: Int64?
    let notification: RawNotification
    let opened: Result<Hint, NotificationRefusal>
    var verdict: Verdict
    var reason: String?
    var isDuplicate = false

    init(id: Int64? = nil, _ notification: RawNotification, readBy store: any Store) {
        self.id = id
        self.notification = notification
        opened = Result { () throws(NotificationRefusal) in try store.hint(in: notification) }
        switch opened {
        case .success(let hint): (verdict, reason) = (.ignored, hint.remark)
        case .failure(let refusal): (verdict, reason) = (.refused, refusal.description)
        }
    }

    var hint: Hint? { try? opened.get() }

    /// A refused one is known by its text alone: the id in it may be somebody else's.
    var dedupeKey: String { hint?.dedupeKey ?? notification.textKey }

    mutating func markAsDuplicate() {
        (isDuplicate, reason) = (true, hint == nil ? reason : "a duplicate")
    }

    /// What it is about was found, or not.
    mutating func settle(isAnyKnown: Bool) {
        guard let hint, !isDuplicate, !hint.subjects.isEmpty else { return }
        (verdict, reason) = isAnyKnown ? (.applied, nil) : (.ignored, "about no subscription that is known")
    }
}
