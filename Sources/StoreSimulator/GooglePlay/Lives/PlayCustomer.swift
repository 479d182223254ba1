// SPDX-License-Identifier: Apache-2.0

/// One customer of one Play app, with every purchase they will ever make there.
package struct PlayCustomer: Hashable, Sendable {
    package var appID: String
    package var accountID: String
    package var market: Market = .unitedStates
    package var tokens: [PlayToken]
    /// The steps the life was written from; hand-made lives have none.
    package var steps: Set<PlayStep> = []

    /// The purchases before this one in its chain, the oldest first.
    func ancestors(of token: PlayToken) -> [PlayToken] {
        guard let linked = tokens.first(where: { $0.token == token.linkedToken }) else { return [] }
        return ancestors(of: linked) + [linked]
    }

    /// Whether a reader can come to know it: handed in, published, or named by a later one that can be known.
    func isReachable(_ token: PlayToken, at now: Int64, isPublished: Bool = false) -> Bool {
        guard token.startedAt <= now else { return false }
        if isPublished, token.notifications.contains(where: { $0.at <= now }) { return true }
        return token.isRegistered
            || tokens.contains { $0.linkedToken == token.token && isReachable($0, at: now, isPublished: isPublished) }
    }
}
