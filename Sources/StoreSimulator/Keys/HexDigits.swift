// SPDX-License-Identifier: Apache-2.0

extension Collection<UInt8> {
    /// As the stores spell ids and secrets: two lower-case hexadecimal digits a byte.
    var hexDigits: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
