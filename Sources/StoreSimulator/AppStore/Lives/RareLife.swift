// SPDX-License-Identifier: Apache-2.0

/// A kind of life that hardly any customer leads, and that a reader must cope with all the same.
enum RareLife: String, CaseIterable, Sendable {
    // Receipts: the renewal is late, and nothing in the receipt says why.
    case lateByMinutes, lateByHours, lateByADay, neverRenewed

    // Groups: somebody pays for the seats of others.
    case group, developersGroup, organization

    /// Sold under the owner's own names.
    case commerce

    // Access that ends without money.
    case bundle, unknownRevocation, unknownReason

    /// The backend hands in the id of a renewal.
    case laterID
    /// So many things bought once that no night reads the whole history.
    case hoarder
    /// Nothing but things sold once; only a notification reports them.
    case onlySales

    /// Several things sold under the owner's own names in one transaction.
    case commerceItems

    /// A code for a time for nothing, of somebody who pays already.
    case payersCode
    /// About to cancel, and offered to stay.
    case retention
    /// Given more time for the period that runs.
    case extended
    /// What a bundle includes, beside the bundle itself.
    case inBundle

    /// Seats are added, and given back whole while the others run on; or the others, and then all of them.
    case lessenedGroup

    /// Those that were written after the others: their customers come after everybody else, so that nobody's numbers move.
    var isLater: Bool {
        [.commerceItems, .payersCode, .retention, .extended, .lessenedGroup, .inBundle].contains(self)
    }

    /// Whether there can be such a life in an app.
    func occurs(in app: SimulatedApp) -> Bool {
        guard app.play == nil, app.sandboxClock == nil else { return false }
        switch self {
        case .lateByMinutes, .lateByHours, .lateByADay, .neverRenewed: return app.api == .receipts
        case .payersCode, .extended: return true
        case .onlySales: return app.api == .server && app.hasNotificationURL
        default: return app.api == .server
        }
    }
}
