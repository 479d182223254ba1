// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// What a chunk's checks came to: rows to load, and those that may be the configuration's fault.
struct FilteredRows {
    private(set) var loaded: [ChunkRows] = []
    private(set) var suspicious: [ChunkRows] = []
    private(set) var suspicion = ConfigurationSuspicion()

    init(_ asked: [AskedRows], of store: any Store) {
        for asked in asked { take(asked.rows, of: asked.inquiry, store) }
    }

    /// A subscription that was out of reach before is no evidence about the configuration, nor is a sale, whose store may
    /// answer that it knows none of that id.
    private mutating func take(_ rows: ChunkRows, of inquiry: Inquiry, _ store: any Store) {
        guard inquiry.subscriptions.contains(where: { !$0.isSale && $0.snapshot.state != .unreachable }) else {
            return loaded.append(rows)
        }
        let setting = rows.subscriptions.isEmpty ? rows.failures.first.flatMap { store.suspect(in: $0.reason) } : nil
        suspicion.note(checks: inquiry.subscriptions.count { !$0.isSale }, pointingTo: setting)
        if setting == nil { loaded.append(rows) } else { suspicious.append(rows) }
    }
}
