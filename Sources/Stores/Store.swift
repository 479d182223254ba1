// SPDX-License-Identifier: Apache-2.0

package import Model

/// One app's store: its client, its reader, and what is known of it as a whole.
///
/// No stage knows which store it serves; all knowledge of one store lives in its own target.
package protocol Store: StoreClient, StoreReader, Notifying, Examining, Probing {
    /// The app this store is asked about, with its credentials and addresses.
    var appID: AppID { get }
    var kind: StoreKind { get }
    /// The charges of this store that are looked at again for refunds, in days after the charge.
    var refundWatchDays: [Int64] { get }
    /// Its notifications report every refund: while an app's can be fetched, no charge is looked at again.
    var reportsRefunds: Bool { get }

    /// Why nothing of this app can be asked, known before it is tried: the app stops with it. Nil: nothing speaks against asking.
    var refusal: StoreFailure? { get }

    /// The setting that is wrong where most checks come to nothing for this reason; nil where it says nothing of one.
    func suspect(in reason: String) -> SuspectSetting?
}

extension Store {
    /// Some refunds appear in no notification.
    package var reportsRefunds: Bool { false }

    package var refusal: StoreFailure? { nil }

    /// No reason points to a setting.
    package func suspect(in reason: String) -> SuspectSetting? { nil }
}
