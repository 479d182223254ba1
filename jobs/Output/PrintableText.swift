// SPDX-License-Identifier: Apache-2.0

import Model

extension String {
    /// One line that a terminal shows as it is: what would steer it, break the line or turn its direction is written as
    /// `\u{1B}`.
    var printable: String {
        guard unicodeScalars.contains(where: \.isSteering) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.isSteering {
                text += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Control characters, separators of lines, and marks that turn the direction of what follows.
    fileprivate var isSteering: Bool {
        PlainText.isControl(self) || [0x200E, 0x200F, 0x2028, 0x2029, 0x061C].contains(value)
            || (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
}
