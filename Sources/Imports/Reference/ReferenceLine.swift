// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog

/// One row of a dated reference table, checked: the database takes it as it is.
protocol ReferenceLine: Sendable {
    /// Columns of the file that is imported.
    static var columns: [String] { get }
    /// Takes the run, the line numbers, and one array per value.
    static var insertion: Statement { get }

    /// Whether it may change what sales without a store price are booked with.
    static var repricesSales: Bool { get }

    /// What follows from the file as a whole, beside its rows: a statement that takes the run and these values, and gives a note for
    /// each row that it adds; nil: nothing.
    static func conclusion(of rows: [Self]) -> (statement: Statement, values: [PostgresValue])?

    /// The rows of one line.
    static func read(_ fields: [String: String], for setting: ReferenceSetting) throws(BadLine.Reason) -> [Self]

    /// Why a file with that header (nil: JSON Lines) is none of this kind.
    static func refusal(of header: [String]?, for setting: ReferenceSetting) -> BadLine.Reason?

    /// Two rows with the same key say something of the same thing and day; nothing but one of them may go in.
    var key: [String] { get }
    /// What the row says of it, as a person reads it.
    var content: String { get }
    /// In the order of the insertion's arrays; nil is NULL.
    var values: [String?] { get }
    /// The app it is about, where it is about one.
    var appID: String? { get }
}

extension ReferenceLine {
    var appID: String? { nil }

    static var repricesSales: Bool { false }

    static func conclusion(of rows: [Self]) -> (statement: Statement, values: [PostgresValue])? { nil }

    static func refusal(of header: [String]?, for setting: ReferenceSetting) -> BadLine.Reason? {
        BadLine.Reason.foreignColumn(in: header, beside: columns)
    }
}
