// SPDX-License-Identifier: Apache-2.0

/// Whether everything that was issued stands as it was issued.
package struct IssueVerification: Sendable {
    /// Those whose folders are there.
    package let issueCount: Int
    package let fileCount: Int
    /// Issues whose folders were taken away on purpose.
    package let prunedCount: Int
    /// Issues from before checksums were kept: nothing can be proved of them.
    package let unprovenCount: Int
    /// A sentence for everything that is not as it was issued; none if all of it is.
    package let findings: [String]
}
