// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog

/// The figures of `report.html`, as the database gives them.
struct PageFigures {
    static let dayCount = 30

    /// What one product took on a day or in a month, in one currency; amounts in micros.
    struct Money {
        /// `yyyy-mm-dd` or `yyyy-mm`.
        let span: String
        let appID: String
        let store: String
        let productID: String
        let currency: String
        let charges: Int64
        let refunds: Int64
        let gross: Int64
        let refunded: Int64

        var net: Int64 { gross - refunded }
    }

    /// What one day came to in the reporting currency; amounts in micros, nil where nothing has a rate.
    struct Converted {
        let currency: String
        let gross: Int64?
        let refunded: Int64?
        let net: Int64?
        let proceeds: Int64?
        /// Movements that no source has a rate for: left out.
        let unconverted: Int64
        /// Millionths of what moved whose proceeds are estimated; nil where nothing moved.
        let estimated: Int64?
        /// Millionths of what moved whose proceeds nobody knows; nil where nothing moved.
        let missing: Int64?
        /// Millionths of what moved whose price is the owner's list's; nil where nothing moved.
        let listed: Int64?
    }

    /// The subscriber figures of one day.
    struct Subscribers {
        let active: Int64
        let trials: Int64
        let newPaid: Int64
        let churned: Int64
        let atRisk: Int64
    }

    /// What became of one product's subscribers in the last days.
    struct Churn {
        let appID: String
        let store: String
        let productID: String
        let opening: Int64
        /// Those of the opening that churned.
        let lost: Int64
        let churned: Int64
        /// voluntary, involuntary, price, product, refund, other
        let reasons: [Int64]
        let lapsed: Int64
        let cameAndWent: Int64
    }

    /// Newest day first.
    let days: [Money]
    /// Newest month first.
    let months: [Money]
    /// The last day, then the day before.
    let converted: [Converted]
    /// The last day, then the day before.
    let subscribers: [Subscribers]
    let churn: [Churn]

    /// Of all days up to the last one: before anything that looks at other days.
    static func readMonths(
        _ request: ReportRequest, from session: SessionTables
    ) async throws(PostgresError) -> [Money] {
        try await session.show(from: "-infinity", through: request.lastDate.description)
        var months: [Money] = []
        for row in try await session.connection.query(SQL.Reports.Page.moneyMonths) {
            months.append(try Money(row, span: "month"))
        }
        return months
    }

    static func read(
        _ request: ReportRequest, months: [Money], from session: SessionTables
    ) async throws -> PageFigures {
        let connection = session.connection
        let last = request.lastDate.description
        let first = request.lastDays(dayCount).first?.description ?? last
        try await session.show(from: first, through: last)
        return PageFigures(
            days: try await connection.query(SQL.Reports.Page.moneyDays).map { try Money($0, span: "day") },
            months: months,
            converted: try await connection.query(SQL.Reports.Page.converted).map { try Converted($0) },
            subscribers: try await connection.query(SQL.Reports.Page.subscribers).map { try Subscribers($0) },
            churn: try await connection.query(SQL.Reports.Page.churnProducts).map { try Churn($0) })
    }
}

extension PageFigures.Money {
    fileprivate init(_ row: PostgresRow, span: String) throws(PostgresError) {
        self.init(
            span: try row.string(span), appID: try row.string("app_id"), store: try row.string("store"),
            productID: try row.string("product_id"), currency: try row.string("currency"),
            charges: try row.int64("charges"), refunds: try row.int64("refunds"), gross: try row.int64("gross"),
            refunded: try row.int64("refunded"))
    }
}

extension PageFigures.Converted {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            currency: try row.string("currency"), gross: try row.optionalInt64("gross"),
            refunded: try row.optionalInt64("refunded"), net: try row.optionalInt64("net"),
            proceeds: try row.optionalInt64("proceeds"), unconverted: try row.int64("unconverted"),
            estimated: try row.optionalInt64("estimated"), missing: try row.optionalInt64("missing"),
            listed: try row.optionalInt64("listed"))
    }
}

extension PageFigures.Subscribers {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            active: try row.int64("active"), trials: try row.int64("trials"), newPaid: try row.int64("new_paid"),
            churned: try row.int64("churned"), atRisk: try row.int64("at_risk"))
    }
}

extension PageFigures.Churn {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        let names = ["voluntary", "involuntary", "price", "product", "refund", "other"]
        var reasons: [Int64] = []
        for name in names { reasons.append(try row.int64(name)) }
        self.init(
            appID: try row.string("app_id"), store: try row.string("store"), productID: try row.string("product_id"),
            opening: try row.int64("opening"), lost: try row.int64("lost"), churned: try row.int64("churned"),
            reasons: reasons, lapsed: try row.int64("lapsed"), cameAndWent: try row.int64("came_and_went"))
    }
}
