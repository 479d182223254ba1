// SPDX-License-Identifier: Apache-2.0

import Model

/// Which files a job reads, of those that the configuration names.
///
/// Those of others are left alone: what is wrong with a chat's webhook never stops a night, and a job that asks no store works
/// where the keys are not.
enum KeyFiles: Equatable {
    /// The keys of the apps of these names, of all where none is named; and what reports are written with, which is no secret.
    case ofApps([String])
    case ofRecipients
    /// What reports are written with, and no key.
    case ofReports
    case none

    /// The keys of all apps.
    static let ofStores = KeyFiles.ofApps([])

    /// Scripts and notes are read, which are no secrets.
    var haveReportFiles: Bool {
        switch self {
        case .ofApps, .ofReports: true
        case .ofRecipients, .none: false
        }
    }

    /// What that app needs is read.
    func include(_ app: AppID?) -> Bool {
        guard case .ofApps(let names) = self else { return false }
        return names.isEmpty || app.map { names.contains($0.rawValue) } == true
    }
}
