// SPDX-License-Identifier: Apache-2.0

/// What a client cost so far, for the summary of a run.
package struct RequestCounts: Hashable, Sendable {
    /// Requests sent, retries included.
    package var calls = 0
    package var retries = 0
    /// Answers that said "too many".
    package var throttled = 0
    /// Body bytes received, after decompression.
    package var bytes = 0
    /// Requests sent by the endpoint's name.
    package var callsByEndpoint: [String: Int] = [:]

    package init() {}
}
