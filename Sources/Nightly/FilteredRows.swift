// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// What a chunk's checks came to: rows to load, and those that may be the configuration's fault.
struct FilteredRows {
    private(set) var loaded: [ChunkRows] = []
    private(set) var suspicious: [ChunkRows] = []
    private(set) var suspicion = ConfigurationSuspicion()

    /// `now`: the run's.
    init(_ asked: [AskedRows], of store: any Store, now: Instant) {
        for asked in asked { take(asked.rows, of: asked.inquiry, from: store, at: now) }
    }

    /// A subscription that was out of reach before is no evidence about the configuration, nor is a sale, whose store may
    /// answer that it knows none of that id.
    private mutating func take(_ rows: ChunkRows, of inquiry: Inquiry, from store: any Store, at now: Instant) {
        guard inquiry.subscriptions.contains(where: { !$0.isSale && $0.snapshot.state != .unreachable }) else {
            return loaded.append(rows)
        }
        let failed = rows.subscriptions.isEmpty ? rows.failures.first?.reason : nil
        let reason = failed.flatMap { store.suspect(in: $0) == nil ? nil : $0 }
        let checked = inquiry.subscriptions.filter { !$0.isSale }
        let known = checked.count { subscription in subscription.snapshot.lastCheckedAt.map { $0 < now } ?? false }
        var evidence = ConfigurationSuspicion()
        evidence.note(checks: known, wereAnswered: true, endedBy: reason)
        evidence.note(checks: checked.count - known, wereAnswered: false, endedBy: reason)
        suspicion.add(evidence)
        var counted = rows
        counted.suspicion = evidence.counts
        if reason == nil { loaded.append(counted) } else { suspicious.append(counted) }
    }
}
