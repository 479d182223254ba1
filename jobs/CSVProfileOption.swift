// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Reports

/// How copies of the tables are put down: `excel`, as `reports.language` writes numbers, or `excel:LANGUAGE`, such as `excel:de`.
struct CSVProfileOption: Hashable, Sendable, ExpressibleByArgument {
    /// Nil: by the reports' language.
    private let profile: CSVProfile?

    init?(argument: String) {
        if argument == "excel" {
            profile = nil
            return
        }
        guard argument.hasPrefix("excel:"), let named = CSVProfile(excelFor: String(argument.dropFirst(6))) else {
            return nil
        }
        profile = named
    }

    func profile(language: String) -> CSVProfile {
        profile ?? CSVProfile(excelFor: language) ?? .excel(hasDecimalComma: false)
    }
}
