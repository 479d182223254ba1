// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundations
import Reports

/// How the CSV files are written once more: `excel`, as `reports.language` writes numbers, or `excel:LANGUAGE`, such as `excel:de`.
struct CSVProfileOption: Hashable, Sendable, ExpressibleByArgument {
    private let name: String
    /// Nil: by the reports' language.
    private let profile: CSVProfile?

    init?(argument: String) {
        name = argument
        if argument == "excel" {
            profile = nil
            return
        }
        guard argument.hasPrefix("excel:"), let named = CSVProfile(excelFor: String(argument.dropFirst(6))) else {
            return nil
        }
        profile = named
    }

    /// `language`: of the reports.
    func copies(language: String) -> CSVCopies {
        CSVCopies(
            name: name, profile: profile ?? CSVProfile(excelFor: language) ?? .excel(hasDecimalComma: false))
    }
}
