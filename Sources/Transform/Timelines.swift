// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// The lines of the subscriptions that one answer shows, and how they continue each other.
struct Timelines {
    private let lines: [Secret: Timeline]
    private let links: [Secret: Secret]

    init(_ subjects: [ObservedSubscription]) {
        lines = Dictionary(subjects.map { ($0.storeKey, Self.line(of: $0)) }) { first, _ in first }
        links = Dictionary(subjects.compactMap { subject in subject.linkedTo.map { (subject.storeKey, $0) } }) {
            first, _ in first
        }
    }

    func line(of subject: ObservedSubscription) -> Timeline { lines[subject.storeKey] ?? Self.line(of: subject) }

    func isShown(_ storeKey: Secret) -> Bool { lines[storeKey] != nil }

    /// The periods of the purchases that this one continues, the oldest first: as the answer shows them, and those we
    /// hold of purchases that the store may have forgotten.
    func earlier(than subject: ObservedSubscription) -> [TimelinePeriod] {
        var earlier: [TimelinePeriod] = []
        var visited: Set<Secret> = [subject.storeKey]
        var next = subject.linkedTo
        while let key = next, visited.insert(key).inserted, let line = lines[key] {
            earlier += line.periods
            next = links[key]
        }
        let shown = Set(earlier.map(\.transactionID))
        earlier += (subject.due?.knownEarlier ?? []).filter { !shown.contains($0.transactionID) }.map(
            TimelinePeriod.init)
        return earlier.sorted(by: TimelinePeriod.isEarlier)
    }

    private static func line(of subject: ObservedSubscription) -> Timeline {
        Timeline(known: subject.due?.known ?? [], observed: subject.periods)
    }
}
