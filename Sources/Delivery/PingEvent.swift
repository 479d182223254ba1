// SPDX-License-Identifier: Apache-2.0

package import Model

/// What a service that awaits nights is pinged of.
package enum PingEvent: String, Sendable, Hashable, CaseIterable {
    case start, success, failure

    /// What is pinged at the end of a start of `nightly`; nil: nothing.
    ///
    /// Pure. A start that found nothing to do, and one that may yet be made good by the next, say nothing.
    ///
    /// - Parameters:
    ///   - code: the exit status.
    ///   - hasStarted: a night was opened or resumed.
    ///   - elapsed: since the first start of the business date.
    ///   - finishWithin: how long its nights have time.
    package init?(endingWith code: Int32, hasStarted: Bool, elapsed: Span, finishWithin: Span) {
        switch code {
        case 0 where hasStarted: self = .success
        case 1, 2, 64: self = .failure
        case 75 where elapsed >= finishWithin: self = .failure
        default: return nil
        }
    }
}
