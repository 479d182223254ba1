// SPDX-License-Identifier: Apache-2.0

/// The consent that a Korean customer owes before the price steps up after an offer.
package struct PlayStepUp: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, CaseIterable {
        case pending = "PENDING"
        case confirmed = "CONFIRMED"
        case completed = "COMPLETED"
    }

    package var state: State
    package var newMicros: Int64
    package var deadline: Int64
}
