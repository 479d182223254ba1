// SPDX-License-Identifier: Apache-2.0

/// A text that is embedded as it is: what a page is made of, or what it says of a report.
package struct Document: Sendable, Hashable {
    /// Its file, for example `reports/marts/churn/page.json`.
    package let name: String
    package let text: String

    /// A document of that name and text.
    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
