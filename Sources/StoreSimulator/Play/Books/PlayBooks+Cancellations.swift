// SPDX-License-Identifier: Apache-2.0

/// A purchase that its customer cancelled, and when: the store dates it, however late it is asked.
package struct DatedCancellation: Hashable, Sendable {
    package var appID: String
    /// Google Play's purchase token.
    package var storeKey: String
    /// Microseconds since the Unix epoch (UTC).
    package var at: Int64

    package init(appID: String, storeKey: String, at: Int64) {
        self.appID = appID
        self.storeKey = storeKey
        self.at = at
    }
}

extension PlayBooks {
    /// Every dated cancellation that an answer told of; one that was taken back before anybody asked is none. Instalments that
    /// were said to run out are cancelled from that answer on: the store tells their date only with the end.
    var datedCancellations: Set<DatedCancellation> {
        Set(
            everyToken.filter { $0.2.play?.api == .v2 }.flatMap { _, token, app in
                let told = (revealed.tokens[token.token] ?? []).compactMap { token.moment(at: $0) }
                return told.prefix { !$0.isCancelledWithoutDate }.compactMap(\.customersCancellation).map {
                    DatedCancellation(appID: app.id, storeKey: token.token, at: $0)
                }
            })
    }
}

extension PlayMoment {
    fileprivate var customersCancellation: Int64? {
        guard state == .canceled || state == .expired, case .user(let at)? = cancellation else { return nil }
        return at
    }

    fileprivate var isCancelledWithoutDate: Bool {
        customersCancellation == nil && mainItem?.instalments?.isCancellationPending == true
    }
}

extension Books {
    /// The cancellations that Google Play's answers have dated so far.
    package var datedCancellations: Set<DatedCancellation> { play?.datedCancellations ?? [] }
}
