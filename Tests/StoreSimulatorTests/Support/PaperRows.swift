// SPDX-License-Identifier: Apache-2.0

@testable import StoreSimulator

/// How tests read the rows of a metric.
extension MetricRow {
    var date: String { words["date"] ?? "-" }
    var month: String { words["month"] ?? "-" }
    /// Without the app's own name before it.
    var product: String { (words["product_id"] ?? "-").replacing("com.acme.app.", with: "") }

    /// The figures that are not zero, but for those.
    func said(except others: String...) -> [String: Int64] {
        figures.names.filter { !others.contains($0) }.reduce(into: [:]) { said, name in
            if let figure = self[name], figure != 0 { said[name] = figure }
        }
    }

    /// The same, a text each, in the order of the figures.
    func texts(except others: String...) -> [String] {
        figures.names.compactMap { name in
            self[name].flatMap { $0 == 0 || others.contains(name) ? nil : "\(name) \($0)" }
        }
    }

    /// Of a row of the bridge.
    var movements: [String: Int64] { said(except: "opening", "closing") }
    /// Of a row of subscribers.
    var counts: [String: Int64] { said(except: "seats") }
    /// Of a row of revenue.
    var sales: String {
        let figures = ["charges", "gross", "refunds", "refunded"].map { self[$0] ?? -1 }
        return "charges \(figures[0]) \(figures[1]) refunds \(figures[2]) \(figures[3])"
    }
}

extension [MetricRow] {
    func figures(_ name: String) -> [Int64?] { map { $0[name] } }
    func sum(_ name: String) -> Int64 { figures(name).compactMap(\.self).reduce(0, +) }
}
