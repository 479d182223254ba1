// SPDX-License-Identifier: Apache-2.0

import Model

/// How far a history was read: the store's `revision`, and whether there was more behind it.
///
/// A customer of thousands of consumables has a history longer than one night reads; it is read on from here.
struct HistoryCursor: Hashable {
    /// Before the revision of a history that was not read to its end; no revision of the store's begins so.
    private static let mark = "more:"

    let revision: String
    let isUnfinished: Bool

    /// - Parameter stored: as it is kept between nights; nil where nothing was read.
    init?(stored: String?) {
        guard let stored else { return nil }
        isUnfinished = stored.hasPrefix(Self.mark)
        revision = isUnfinished ? String(stored.dropFirst(Self.mark.count)) : stored
    }

    /// After a page; nil where the store gave no place to go on from.
    init?(after page: HistoryPosition) {
        guard let revision = page.revision else { return nil }
        (self.revision, isUnfinished) = (revision, page.hasMore)
    }

    /// Where a subscription's history is read from in a night; nil: from its beginning.
    ///
    /// What was not read to its end is read on, or one that is longer than a night reads would never be; only a refund
    /// that may be in the pages already read begins again.
    static func start(of due: DueSubscription, in environment: PurchaseEnvironment) -> String? {
        guard due.environment == environment, let cursor = HistoryCursor(stored: due.historyCursor) else { return nil }
        switch due.historyReach {
        case .restarted: return nil
        case .fromBeginning: return cursor.isUnfinished ? cursor.revision : nil
        case .fromCursor, .asNeeded: return cursor.revision
        }
    }

    var stored: String { isUnfinished ? Self.mark + revision : revision }
}
