// SPDX-License-Identifier: Apache-2.0

/// How many connections with the database jobs take at most: so many for three apps as for three thousand.
///
/// Pure.
package enum ConnectionNeed {
    /// Of a night, unless it is given another number.
    package static let usualWorkers = 2

    /// One renews leases however busy the others are, one looks for a session that gives no answer.
    package static let besides = 2

    /// For so many chunks that are loaded at once.
    package static func night(workers: Int) -> Int { workers + besides }
}
