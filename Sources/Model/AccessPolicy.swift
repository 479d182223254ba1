// SPDX-License-Identifier: Apache-2.0

/// What the owner grants beyond what the store said.
///
/// The rule that uses it is `subledger.access_until`.
package struct AccessPolicy: Sendable {
    /// Hides the latency of daily polling; it is about access only and never moves a churn date.
    package let buffer: Span
    /// How long access lasts while the store cannot be asked.
    package let unreadLimit: Span

    package init(buffer: Span = .days(1), unreadLimit: Span = .days(3)) {
        self.buffer = buffer
        self.unreadLimit = unreadLimit
    }
}
