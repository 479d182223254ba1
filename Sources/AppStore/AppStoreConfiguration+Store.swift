// SPDX-License-Identifier: Apache-2.0

package import Model
package import Stores

extension AppStoreConfiguration {
    /// A notification as people may read it (`Notifying`), whichever of its apps it is about: nothing is verified.
    package static func readable(_ notification: RawNotification) -> [UInt8]? {
        NotificationText.readable(notification)
    }

    /// The store this app is read through.
    ///
    /// `clock`: the wall clock, whatever the run's logical now is: tokens and waits live by it.
    /// Throws `credential`, with what to correct, when the key or the root certificate cannot be used.
    package func store(
        clock: @escaping @Sendable () -> Instant = { .wallClock }
    ) throws(StoreFailure) -> any Store {
        switch api {
        case .server(let server): try AppStoreServer(self, server: server, clock: clock)
        case .verifyReceipt(let receipts): VerifyReceipt(self, receipts: receipts, clock: clock)
        }
    }
}
