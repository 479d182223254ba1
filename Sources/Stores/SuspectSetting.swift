// SPDX-License-Identifier: Apache-2.0

/// A way in which answers end where a setting is wrong, and which setting that is.
package struct SuspectSetting: Hashable, Sendable {
    /// What these answers have in common, such as `are about another app`.
    package let finding: String
    /// The settings to look at, and what they should be.
    package let advice: String

    package init(finding: String, advice: String) {
        self.finding = finding
        self.advice = advice
    }
}
