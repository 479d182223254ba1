// SPDX-License-Identifier: Apache-2.0

/// Where the slices of the quotas are leased that other processes use, too.
package protocol SliceSource: Sendable {
    /// How long a source that fails is asked again before what waits for its slices is given up.
    var patience: Duration { get }

    /// Leases the next slice of each; what it leaves out is asked for again.
    func lease(_ wanted: [WantedSlice]) async throws -> [LeasedSlice]
}
