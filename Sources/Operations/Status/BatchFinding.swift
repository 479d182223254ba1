// SPDX-License-Identifier: Apache-2.0

/// Something in the batch that is not as it should be.
package enum BatchFinding: Sendable, Hashable {
    /// By its store, in its last night.
    case stopped(app: String, reason: String)
    case late(app: String, reason: String)
    /// So long ago that a night finished it; nil: none ever did.
    case stale(app: String, hours: Int64?)
    case unread(app: String, count: Int64)
    /// Of the nights of the last business date.
    case deadLetters(app: String, count: Int64)
    /// Business dates, the oldest first.
    case missingReports([String])
    /// The books, as of the newest issue's business date.
    case notReconciled(String)
    /// The leader is dead.
    case interrupted(runID: Int64, job: String)

    /// Whose finding it is; nil: of all apps.
    package var app: String? {
        switch self {
        case .stopped(let app, _), .late(let app, _), .stale(let app, _), .unread(let app, _), .deadLetters(let app, _):
            app
        case .missingReports, .notReconciled, .interrupted: nil
        }
    }

    /// One word, for programs.
    package var kind: String {
        switch self {
        case .stopped: "stopped"
        case .late: "late"
        case .stale: "stale"
        case .unread: "unread"
        case .deadLetters: "dead_letters"
        case .missingReports: "missing_reports"
        case .notReconciled: "not_reconciled"
        case .interrupted: "interrupted"
        }
    }
}
