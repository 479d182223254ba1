// SPDX-License-Identifier: Apache-2.0

/// An issue or an export whose manifest was found to be as it was written.
struct ProvedReport: Sendable {
    /// That of its folder.
    let name: String
    let folder: String
    let manifest: Manifest
    let manifestSHA256: String
}
