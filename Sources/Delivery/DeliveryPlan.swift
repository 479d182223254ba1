// SPDX-License-Identifier: Apache-2.0

/// Which recipients still get which message of an issue.
///
/// Pure.
struct DeliveryPlan {
    /// A message that is due.
    struct Due {
        let recipient: Recipient
        let kind: DeliveryMessage.Kind
        let entry: DeliveryLedger.Entry?
    }

    let recipients: [Recipient]
    let alerts: [Alert]
    let entries: [DeliveryLedger.Key: DeliveryLedger.Entry]
    /// Also to those who had it.
    let again: Bool

    var due: [Due] {
        recipients.compactMap { recipient in
            kind(for: recipient).map { Due(recipient: recipient, kind: $0, entry: entry(recipient, $0)) }
        }
    }

    /// What a message says: each has all alerts, so that it stands for those that come up without an issue, too.
    func kinds(notifiedBy kind: DeliveryMessage.Kind) -> [DeliveryMessage.Kind] {
        [kind] + withoutIssue.filter { $0 != kind }
    }

    /// The messages of alerts that come up without a new issue.
    private var withoutIssue: [DeliveryMessage.Kind] {
        DeliveryMessage.Kind.allCases.filter { kind in alerts.contains { $0.message == kind } }
    }

    private func kind(for recipient: Recipient) -> DeliveryMessage.Kind? {
        guard !again, entry(recipient, .digest)?.isDelivered == true else {
            return recipient.onlyAlerts && alerts.isEmpty ? nil : .digest
        }
        return withoutIssue.first { entry(recipient, $0)?.isDelivered != true }
    }

    private func entry(_ recipient: Recipient, _ kind: DeliveryMessage.Kind) -> DeliveryLedger.Entry? {
        entries[DeliveryLedger.Key(recipient: recipient.name, kind: kind)]
    }
}
