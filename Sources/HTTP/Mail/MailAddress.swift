// SPDX-License-Identifier: Apache-2.0

/// A mailbox, `local@domain`, of characters that need no quoting anywhere: none of them can end a header or a command.
package struct MailAddress: Sendable, Hashable, CustomStringConvertible {
    package let description: String
    package let domain: String

    /// Nil for anything else.
    ///
    /// The domain of a name in another script is written in its ASCII form (`xn--…`).
    package init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 254, (1...64).contains(parts[0].utf8.count),
            parts[0].utf8.allSatisfy(Self.isLocalByte), Self.areDots(parts[0]), Self.isDomain(parts[1])
        else { return nil }
        description = text
        domain = String(parts[1])
    }

    /// RFC 5322's `atext`, and the dot.
    private static func isLocalByte(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "!#$%&'*+-/=?^_`{|}~.".utf8.contains(byte)
    }

    private static func areDots(_ local: Substring) -> Bool {
        !local.hasPrefix(".") && !local.hasSuffix(".") && !local.contains("..")
    }

    private static func isDomain(_ domain: Substring) -> Bool {
        domain.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
