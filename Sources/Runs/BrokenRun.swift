// SPDX-License-Identifier: Apache-2.0

/// What becomes of a run whose work throws.
package enum BrokenRun: Sendable {
    /// It stays open without a lease: the next run of the same apps and instant resumes it.
    case resumable
    /// It ends as failed, with these counts: what it wrote is sealed, and the job is run again from its beginning.
    case failed(counts: [String: Int64])

    /// What its last event says that it came to.
    var outcome: String {
        switch self {
        case .resumable: "interrupted"
        case .failed: Run.Outcome.failed.rawValue
        }
    }
}
