// SPDX-License-Identifier: Apache-2.0

import Rendering

/// Whether a further issue of a date would say anything new.
extension Manifest {
    /// The same seal, days and definitions, and the same differences found.
    func isOfSameSeal(as other: Manifest) -> Bool { stamp == other.stamp && failures == other.failures }

    /// The same days, definitions and differences, and as much of each app unread or stopped, whatever the seal.
    func isAlike(_ other: Manifest) -> Bool {
        stamp.days == other.stamp.days && failures == other.failures && shortcomings == other.shortcomings
    }

    /// The CSV files.
    var tables: Set<String> { Set(files.keys.filter { $0.hasSuffix(".csv") }) }

    private var failures: Set<Check> { Set(checks.filter { !$0.passed }) }

    private var shortcomings: [String: String] {
        Dictionary(coverage.map { ($0.appID, "\($0.unread) \($0.stopped)") }) { first, _ in first }
    }
}

extension ReportStamp {
    fileprivate var days: [String?] {
        [businessDate, firstDate, lastDate, timeZone, notesSHA256, String(definitionsVersion)]
    }
}
