// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// The timelines of the subscriptions that one answer shows, and how they continue each other.
struct Timelines {
    private let timelines: [Secret: Timeline]
    private let links: [Secret: Secret]

    init(_ subjects: [ObservedSubscription]) {
        timelines = Dictionary(subjects.map { ($0.storeKey, Self.timeline(of: $0)) }) { first, _ in first }
        links = Dictionary(subjects.compactMap { subject in subject.linkedTo.map { (subject.storeKey, $0) } }) {
            first, _ in first
        }
    }

    func timeline(of subject: ObservedSubscription) -> Timeline {
        timelines[subject.storeKey] ?? Self.timeline(of: subject)
    }

    func isObserved(_ storeKey: Secret) -> Bool { timelines[storeKey] != nil }

    /// The periods of the purchases that this one continues, the oldest first: as the answer shows them, and those we
    /// hold of purchases that the store may have forgotten.
    func earlier(than subject: ObservedSubscription) -> [TimelinePeriod] {
        var earlier: [TimelinePeriod] = []
        var visited: Set<Secret> = [subject.storeKey]
        var next = subject.linkedTo
        while let key = next, visited.insert(key).inserted, let timeline = timelines[key] {
            earlier += timeline.periods
            next = links[key]
        }
        let observedIDs = Set(earlier.map(\.transactionID))
        earlier += (subject.due?.knownEarlier ?? []).filter { !observedIDs.contains($0.transactionID) }.map(
            TimelinePeriod.init)
        return earlier.sorted(by: TimelinePeriod.isEarlier)
    }

    private static func timeline(of subject: ObservedSubscription) -> Timeline {
        Timeline(known: subject.due?.known ?? [], observed: subject.periods)
    }
}
