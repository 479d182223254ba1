// SPDX-License-Identifier: Apache-2.0

import Model
import StoreSimulator
import Testing

/// The metrics of a night's issue against the stores' own books: counts exactly, money to the micro.
extension NightWorld {
    func expectMetrics(
        _ column: BookColumn, night: Int, lengths: PeriodLengths = .dates,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (date, books) = (Self.businessDate(of: night), stores.books)
        expectSame(
            try rows("mrr_bridge", of: night, BridgeRow.init),
            Set(books.bridge(column, through: date, lengths: lengths)), "mrr_bridge.csv, night \(night)",
            sourceLocation: sourceLocation)
    }
}
