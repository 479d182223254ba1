// SPDX-License-Identifier: Apache-2.0

package import Marts
package import Rendering

/// A report as it stands on disk.
package struct IssuedReport: Sendable {
    /// The folder, for example `reports/2026-03-01.2`.
    package let path: String
    /// False if the newest issue of that date said exactly the same, so that none was added.
    package let isNew: Bool
    package let checks: [CheckOutcome]
    /// The tables that a rebuild found wrong.
    package let corrected: [CorrectedTable]

    package init(path: String, isNew: Bool, checks: [CheckOutcome], corrected: [CorrectedTable] = []) {
        self.path = path
        self.isNew = isNew
        self.checks = checks
        self.corrected = corrected
    }

    /// Every check passed.
    ///
    /// A run whose books do not close ends as partial.
    package var isReconciled: Bool { checks.allSatisfy(\.passed) }
}
