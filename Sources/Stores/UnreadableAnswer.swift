// SPDX-License-Identifier: Apache-2.0

/// An answer that came but contradicts itself or is not what the store documents: it is set aside with its reason.
package struct UnreadableAnswer: Error, Hashable, Sendable, CustomStringConvertible {
    package let reason: String
    package let message: String

    package init(reason: String, message: String) {
        self.reason = reason
        self.message = message
    }

    package init(_ fault: AnswerFault, message: String) {
        self.init(reason: fault.rawValue, message: message)
    }

    package var description: String { message }
}
