// SPDX-License-Identifier: Apache-2.0

import Issues

/// What was proved of the issues, or of an export, where nothing was found.
struct VerificationText: CustomStringConvertible {
    let verification: IssueVerification
    let isOfExport: Bool

    var description: String {
        let files = "\(verification.fileCount) files"
        guard !isOfExport else {
            return "\(files): as the export's own manifest has them; the database has no record of it"
        }
        var lines = ["\(verification.issueCount) issues, \(files): as they were issued"]
        if verification.prunedCount > 0 {
            lines.append("\(verification.prunedCount) issues are pruned: their records stay")
        }
        if verification.unprovenCount > 0 {
            lines.append("\(verification.unprovenCount) older issues have no checksum: nothing is known of them")
        }
        return lines.joined(separator: "\n")
    }
}
