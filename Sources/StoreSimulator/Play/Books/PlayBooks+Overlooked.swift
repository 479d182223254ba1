// SPDX-License-Identifier: Apache-2.0

extension PlayBooks {
    /// Purchases that somebody who asked from that night on could have been told of, and nobody asked before the store forgot
    /// them: their charges are lost to every column of the books, so a reader's neglect would look like none.
    func overlooked(since firstNight: Int64) -> [String] {
        everyToken.filter { customer, token, app in
            isLost(token) && !token.isForgotten(at: firstNight) && isReachable(token, of: customer, in: app)
        }.map(\.1.token)
    }
}

extension Books {
    /// Google Play purchases that should have been asked about from that night on, and can be no longer.
    package func overlookedPurchases(since firstNight: Int64) -> [String] { play?.overlooked(since: firstNight) ?? [] }
}
