// SPDX-License-Identifier: Apache-2.0

/// Words of a command that people copy into a shell.
enum ShellText {
    /// One word, whatever is in it: between quotes unless it is plain beyond doubt.
    static func word(_ text: String) -> String {
        let isPlain =
            !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-/+@:,%".contains($0)) }
        return isPlain ? text : "'\(text.replacing("'", with: #"'\''"#))'"
    }
}
