// SPDX-License-Identifier: Apache-2.0

/// Why a store could not be asked, and what follows: ask again, set the subscription aside, or stop the app.
package struct StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        /// The request failed (time-out, 5xx, over the quota): the next run asks again. Nothing is booked.
        case transient
        /// The store refuses this id by a word of its own that says "again", or fails on it alone: the next run asks again, and on
        /// the third such night it is set aside.
        case refusedForNow
        /// The store does not know the id, in either environment, or refuses its form.
        case notFound
        /// The store has dropped it for ever (410).
        case gone
        /// The answer came and cannot be trusted or read: set aside.
        case unreadable
        /// A wrong key, secret, clock or permission: this app stops, the others go on.
        case credential
        /// The store is down: this app stops for tonight, the others go on.
        case storeDown
        /// The run was interrupted.
        case cancelled
    }

    /// Reasons that something follows from, whatever the kind.
    package enum Cause: String, Sendable {
        /// The night was too short for the app: what started before goes on.
        case outOfTime = "out_of_time"
        /// Too many answers were long at once, and the round has no room left: nothing is wrong with the inquiry, it is made again.
        case noRoom = "no_room_for_answer"
        /// A 401 that a new access token may cure.
        case tokenRefused = "token_refused"
        /// Most answers point to a wrong setting: none of them is booked.
        case wrongSetting = "wrong_setting"
        /// The store says nothing, or to this machine alone.
        case storeDown = "store_down"
        /// The store answers other hosts of the run and not this one, which leaves the app's chunks to them meanwhile.
        case isolated = "isolated_host"
        /// The database gives this process no share of the quota.
        case noSlice = "no_slice"
        /// The store keeps no notifications for this app: it only loses the pull.
        case notificationsUnavailable = "notifications_unavailable"
    }

    package let kind: Kind
    /// A short word for the table, such as `http_500` or `error_4040010`.
    package let reason: String
    /// A sentence: what failed, why, what to do.
    ///
    /// Never an id, a token or a URL.
    package let message: String

    package init(_ kind: Kind, reason: String, message: String) {
        self.kind = kind
        self.reason = reason
        self.message = message
    }

    package init(_ kind: Kind, because cause: Cause, message: String) {
        self.init(kind, reason: cause.rawValue, message: message)
    }

    /// Of an answer that came.
    package init(_ fault: AnswerFault, message: String) {
        self.init(.unreadable, reason: fault.rawValue, message: message)
    }

    /// Nil: nothing follows from its reason but what its kind says.
    package var cause: Cause? { Cause(rawValue: reason) }

    /// What is wrong with the answer; nil where none came, or where nothing follows from it.
    package var fault: AnswerFault? { kind == .unreadable ? AnswerFault(rawValue: reason) : nil }

    package var description: String { message }

    /// The whole app stops with this.
    package var stopsApp: Bool { kind == .credential || kind == .storeDown || kind == .cancelled }

    /// One of several hosts may meet it alone: it is no word of the store's.
    package var isOfOneHost: Bool { kind == .storeDown && (cause == .storeDown || cause == .noSlice) }

    /// The same run again, with nothing mended by a person, may come through.
    package var mayPass: Bool { kind == .storeDown || kind == .cancelled }
}
