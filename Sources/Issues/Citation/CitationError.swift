// SPDX-License-Identifier: Apache-2.0

/// Why a figure cannot be cited.
package struct CitationError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// The figure or the issue is named wrongly, or not closely enough.
        case name
        /// What was issued is not what stands there any more.
        case changed
        /// What was issued is not there any more.
        case gone
        /// The tables of the reports are being built.
        case notReady
    }

    /// What to do: name it otherwise, try again later, or a person has to look.
    package enum Disposition: Sendable, Hashable { case rename, retry, stop }

    package let code: Code
    /// The sentence: what failed, on what, why, what to do.
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    package var disposition: Disposition {
        switch code {
        case .name: .rename
        case .changed, .gone: .stop
        case .notReady: .retry
        }
    }
}
